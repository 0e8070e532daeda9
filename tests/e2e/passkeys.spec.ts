import type { CDPSession, Locator, Page } from 'playwright/test'
import { installed } from './support/app'
import { expect, test } from './support/account-test'
import { expectGuest, expectSignedIn, logOut, openAuth, openSignedIn, send } from './support/auth'
import { linkIn } from '../support/mailbox'
import type { Person } from './support/person'

/** Gives the page's device an authenticator whose user is there and agrees. */
async function withAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

const passkeys = (page: Page): Locator => page.getByRole('list', { name: 'Your passkeys' })
const usePasskey = (page: Page): Locator => page.getByRole('button', { name: 'Use your passkey', exact: true })

/** Adds a passkey in Settings; the recovery codes that come with it. */
async function addPasskey(page: Page, name: string): Promise<readonly string[]> {
  await page.goto('/settings')
  await page.getByLabel('Name of the new passkey').fill(name)
  await page.getByRole('button', { name: 'Add passkey', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  await dialog.getByRole('button', { name: 'I have kept them', exact: true }).click()
  await expect(passkeys(page).getByText(name, { exact: true })).toBeVisible()
  return codes
}

async function leave(page: Page): Promise<void> {
  await page.goto('/')
  await logOut(page)
  await expectGuest(page)
}

async function showPassword(page: Page, { email, password }: Person): Promise<void> {
  await send(await openAuth(page, 'Login'), { Email: email, Password: password })
}

test(
  'a guest makes an account with an address and a passkey, verifies it by the link alone, and logs in with the passkey again',
  { tag: '@full' },
  async ({ page, world, stranger: { email } }) => {
    await withAuthenticator(page)
    await page.goto('/')
    await installed(page)
    const dialog = await openAuth(page, 'Register')
    await expect(dialog.getByText('you accept the')).toBeVisible()
    await page.keyboard.insertText(email)
    await dialog.getByRole('button', { name: 'Register with a passkey', exact: true }).click()
    await expectSignedIn(page, email)
    await page.goto(linkIn(await world.mailbox.next(email), '/verify-email').href)
    await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()

    await leave(page)
    const login = await openAuth(page, 'Login')
    await login.getByRole('button', { name: 'Log in with a passkey', exact: true }).click()
    await expectSignedIn(page, email)
    await page.goto('/settings')
    await expect(passkeys(page).getByRole('listitem')).toHaveCount(1)
    await expect(page.getByText('Your account opens with a passkey alone.')).toBeVisible()
  },
)

test('a user adds a passkey in Settings, is asked for it at the next login, and removes it', async ({
  page,
  member,
}) => {
  await withAuthenticator(page)
  await openSignedIn(page, member)
  await addPasskey(page, 'My laptop')

  await leave(page)
  await showPassword(page, member)
  await expect(usePasskey(page)).toBeFocused()
  await expectGuest(page)
  await usePasskey(page).click()
  await expectSignedIn(page, member.email)

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Remove My laptop', exact: true }).click()
  const sure = page.getByRole('alertdialog', { name: 'Remove passkey?' })
  await sure.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(passkeys(page)).toBeHidden()

  await leave(page)
  await showPassword(page, member)
  await expectSignedIn(page, member.email)
})

test(
  'a login whose passkey is refused by the device says so, and ends with a recovery code instead',
  { tag: '@full' },
  async ({ page, member }) => {
    const { cdp, authenticatorId } = await withAuthenticator(page)
    await openSignedIn(page, member)
    const [code = ''] = await addPasskey(page, 'My laptop')

    await leave(page)
    await showPassword(page, member)
    // Browsers answer for a device without the passkey as for a user who cancels.
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    await usePasskey(page).click()
    await expect(page.getByText('The passkey was cancelled, or took too long. Please try again.')).toBeVisible()
    await expectGuest(page)

    await page.getByRole('button', { name: 'Use a recovery code', exact: true }).click()
    await page.getByLabel('Recovery code', { exact: true }).fill('AAAAA-AAAAA-AAAAA-AAAAA')
    await page.getByLabel('Recovery code', { exact: true }).press('Enter')
    await expect(page.getByText('This recovery code is wrong or has been used.')).toBeVisible()
    await page.getByLabel('Recovery code', { exact: true }).fill(code)
    await page.getByLabel('Recovery code', { exact: true }).press('Enter')
    await expectSignedIn(page, member.email)
    await page.goto('/settings')
    await expect(page.getByText(/^9 of your recovery codes can still be used/)).toBeVisible()
  },
)

test(
  'a login with Google to an account with a passkey asks for the passkey before it signs in',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    const { email } = stranger
    world.google.signsIn({ sub: `google-${email}`, email, email_verified: true, hd: 'example.com' })
    await withAuthenticator(page)
    await page.goto('/')
    await installed(page)
    const google = async () => {
      const dialog = await openAuth(page, 'Login')
      await expect(dialog.getByText('With Google you accept the')).toBeVisible()
      await dialog.getByRole('button', { name: /google/i }).click()
    }
    await google()
    await expectSignedIn(page, email)
    await addPasskey(page, 'My laptop')

    await leave(page)
    await google()
    await page.waitForURL('**/auth/google/callback?**')
    await usePasskey(page).click()
    await expectSignedIn(page, email)
  },
)
