import { installed, untilToast } from './support/app'
import { authDialog, expectGuest, expectSignedIn, logOut, openAuth, send } from './support/auth'
import { newPerson } from './support/person'
import { startAppServer, type AppServer } from './support/app-server'
import { expect, test as base } from './support/test'

/** A server that has what `npm start` gives: no mail server, no keys of Google's. */
const test = base.extend<{ plain: AppServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  plain: async ({}, use) => {
    const server = await startAppServer()
    await use(server)
    expect(await server.stop(), 'the server ends cleanly').toBe(0)
  },
  baseURL: async ({ plain }, use) => use(plain.origin),
})

test(
  'without a mail server the sandbox page lists the mails, and their links work',
  { tag: '@full' },
  async ({ page, context }) => {
    const { email, password } = newPerson()
    await page.goto('/')
    await installed(page)
    const dialog = await openAuth(page, 'Register')
    await send(dialog, { Email: email, Password: password, 'Confirm password': password })
    await expectSignedIn(page, email)
    const line = page.getByText(`Open the link in the mail to ${email}`)
    await expect(line).toBeVisible()

    // The service worker is there by now: it must not take the page for one of the app's.
    const mails = await context.newPage()
    const received = mails.getByRole('listitem').filter({ hasText: email }).getByRole('link')
    await expect(async () => {
      await mails.goto('/sandbox/mail')
      await expect(received).toBeVisible({ timeout: 500 })
    }).toPass({ timeout: 15_000 })
    await received.click()
    await expect(mails.getByRole('link', { name: /verify-email/ }), 'the text has it too').toBeVisible()
    await mails.frameLocator('iframe').getByRole('link').first().click()
    await expect(mails.getByText('Your email is verified')).toBeVisible()
    await mails.close()
    await expect(line).toHaveCount(0)
  },
)

test('without Google’s keys a sandbox page signs users in or declines', { tag: '@full' }, async ({ page }) => {
  const { email } = newPerson()
  await page.goto('/')
  await installed(page)
  const google = () => page.getByRole('button', { name: 'Continue with Google', exact: true })
  await expect((await openAuth(page, 'Login')).getByText('With Google you accept the')).toBeVisible()
  await google().click()
  await page.waitForURL('**/sandbox/google/**')
  await page.getByLabel(/e-?mail/i).fill(email)
  await page.getByRole('button', { name: /continue|sign in|log in/i }).click()
  await expectSignedIn(page, email)

  await logOut(page)
  await expectGuest(page)
  await openAuth(page, 'Login')
  await google().click()
  await page.waitForURL('**/sandbox/google/**')
  await page.getByRole('button', { name: /cancel|decline|deny/i }).click()
  await page.waitForURL('**/login')
  await untilToast(page, /Google/)
  await expect(authDialog(page, 'Log In')).toHaveCount(0)
})
