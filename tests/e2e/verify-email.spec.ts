import type { Page } from 'playwright/test'
import { expect, test } from './support/account-test'
import { authDialog, expectSignedIn, field, logIn, openAuth, send } from './support/auth'
import { register, type Person } from './support/person'
import { installed } from './support/app'
import type { AccountWorld } from './support/account-world'
import { linkIn, type ReceivedMail } from '../support/mailbox'

const linkOf = (mail: ReceivedMail) => linkIn(mail, '/verify-email').href
/** In a browser that did not register: the link asks for the password, and is followed with it. */
async function verifyHere(page: Page, link: string, { password }: Person): Promise<void> {
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
  await send(page.getByRole('main'), { Password: password })
  await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()
}
const resendButton = (page: Page) => page.getByRole('button', { name: /resend/i })

async function unverified(world: AccountWorld, person: Person): Promise<string> {
  await register(world, person)
  return linkOf(await world.mailbox.next(person.email))
}

test(
  'a verification link opened in another browser verifies nothing until the password that was chosen is entered',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    const link = await unverified(world, stranger)
    for (const _visit of [1, 2]) {
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Enter your password' })).toBeFocused()
      await expect(page.getByRole('main').getByText(stranger.email)).toBeVisible()
    }
    const main = page.getByRole('main')
    await send(main, { Password: `${stranger.password}!` })
    await expect(main.getByRole('alert')).toHaveText('The entered password is incorrect. Please try again.')
    await send(main, { Password: stranger.password })
    await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()
    await page.waitForURL('**/login', { timeout: 10_000 })
  },
)

test(
  'a user whose address a stranger registered sets a password by mail, which locks the stranger out',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    await page.goto(await unverified(world, { ...stranger, password: 'the password of a stranger' }))
    await page.getByRole('button', { name: 'Set another password by mail' }).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    await page.goto(linkIn(await world.mailbox.next(stranger.email), '/reset-password').href)
    const dialog = authDialog(page, 'Reset Password')
    await send(dialog, { Password: stranger.password, 'Confirm password': stranger.password })
    await expect(dialog.getByText('Your password has been changed')).toBeVisible()
    await dialog.getByRole('button', { name: 'Proceed to Login' }).click()

    const login = authDialog(page, 'Log In')
    await send(login, { Email: stranger.email, Password: 'the password of a stranger' })
    await expect(login.getByRole('alert')).toBeVisible()
    await send(login, { Password: stranger.password })
    await expect(page.getByRole('button', { name: 'Accept and Continue', exact: true })).toBeVisible()
  },
)

test(
  'a login before the address is verified offers another verification mail, whose link works',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    const first = await unverified(world, stranger)
    await page.goto('/')
    const dialog = await openAuth(page, 'Login')
    await send(dialog, { Email: stranger.email, Password: `${stranger.password}!` })
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expect(resendButton(page), 'a wrong password learns nothing of the account').toHaveCount(0)

    await send(dialog, { Password: stranger.password })
    await resendButton(page).click()
    const second = linkOf(await world.mailbox.next(stranger.email))
    expect(second).not.toBe(first)

    await verifyHere(page, second, stranger)
    await page.goto('/')
    const { email, password } = stranger
    await send(await openAuth(page, 'Login'), { Email: email, Password: password })
    await expect(page.getByRole('button', { name: 'Accept and Continue', exact: true })).toBeVisible()
  },
)

test(
  'a verification link that is wrong or has no token offers another mail, and a used link says that the address is verified',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    const link = await unverified(world, stranger)
    await page.goto('/verify-email')
    await expect(page.getByText('Verification token not found in the link.')).toBeVisible()

    await page.goto(`${link.slice(0, -1)}${link.endsWith('a') ? 'b' : 'a'}`)
    await expect(page.getByText('This verification link is invalid or has expired.')).toBeVisible()
    await resendButton(page).click()
    await expect(page.getByText('Email is required to resend the verification link.')).toBeVisible()
    await expect(field(page.getByRole('main'), 'Email')).toBeFocused()
    await send(page.getByRole('main'), { Email: stranger.email })
    const second = linkOf(await world.mailbox.next(stranger.email))

    await verifyHere(page, second, stranger)
    await page.goto(second)
    await expect(page.getByText('Your email address is already verified. You can log in.')).toBeVisible()
    await page.getByRole('link', { name: /log ?in/i }).click()
    await expect(page.getByRole('heading', { name: 'Log In', exact: true })).toBeVisible()
  },
)

test(
  'a verification link opened offline is not called invalid and works when the network is back',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    await page.goto('/')
    await installed(page)
    const { email, password } = stranger
    await send(await openAuth(page, 'Register'), { Email: email, Password: password, 'Confirm password': password })
    const link = linkOf(await world.mailbox.next(email))
    await page.context().setOffline(true)
    await page.goto(link)
    await expect(page.getByText(/network|offline|connect/i).first()).toBeVisible()
    await expect(page.getByText('This verification link is invalid or has expired.')).toHaveCount(0)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()
  },
)

test(
  'a signed-in user opens another account’s verification link and stays signed in',
  { tag: '@full' },
  async ({ page, world, member, stranger }) => {
    const link = await unverified(world, stranger)
    await page.goto('/')
    await logIn(page, member)
    await verifyHere(page, link, stranger)
    await page.goto('/')
    await expectSignedIn(page, member.email)
    await expect(authDialog(page, 'Log In')).toHaveCount(0)
  },
)
