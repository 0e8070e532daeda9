import type { Page } from 'playwright/test'
import { card, installed, addPair } from './support/app'
import { expect, test } from './support/account-test'
import { authDialog, expectSignedIn, logIn, openAuth, send } from './support/auth'
import { waitingChanges } from './support/truth'
import { linkIn } from '../support/mailbox'

const SENT = /If an account with this email exists/

async function askForLink(page: Page, email: string): Promise<void> {
  const login = await openAuth(page, 'Login')
  await login.getByRole('button', { name: /forgot/i }).click()
  const dialog = authDialog(page, 'Forgot Password')
  await send(dialog, { Email: email })
  await expect(dialog.getByText(SENT)).toBeVisible()
}

test(
  'a reset link replaces a forgotten password once and ends the sessions of other browsers',
  { tag: '@full' },
  async ({ page, openBrowser, world, member }) => {
    const other = (await openBrowser()).pages()[0]!
    await other.goto('/')
    await installed(other)
    await logIn(other, member)
    await addPair(other, 'Bitcoin', 'Ethereum')
    await expect.poll(() => waitingChanges(other)).toBe(0)
    // Of the login on a device that was not known.
    await world.mailbox.next(member.email)

    await page.goto('/')
    await installed(page)
    await askForLink(page, member.email)
    const link = linkIn(await world.mailbox.next(member.email), '/reset-password')
    await page.goto(link.href)
    const dialog = authDialog(page, 'Reset Password')
    await expect(dialog).toBeVisible()
    await expect(page, 'the token does not stay in the address').toHaveURL(`${world.server.origin}/`)

    const NEW = 'another horse battery'
    await send(dialog, { Password: 'short', 'Confirm password': 'short' })
    await expect(dialog.getByText('Password must be at least 8 characters long.')).toBeVisible()
    await send(dialog, { Password: NEW, 'Confirm password': `${NEW}!` })
    await expect(dialog.getByText('Passwords do not match.')).toBeVisible()
    await send(dialog, { Password: NEW, 'Confirm password': NEW })
    await page.getByRole('button', { name: 'Proceed to Login', exact: true }).click()

    const login = authDialog(page, 'Log In')
    await send(login, { Email: member.email, Password: member.password })
    await expect(login.getByRole('alert'), 'the old one is good no more').toBeVisible()
    await send(login, { Password: NEW })
    await expectSignedIn(page, member.email)
    await expect(card(page, 'BTC / ETH')).toBeVisible()

    const expired = other.getByRole('button', { name: 'Continue as Guest', exact: true })
    await expect(expired, 'the other device hears of it').toBeVisible({ timeout: 30_000 })

    await page.goto(link.href)
    await send(authDialog(page, 'Reset Password'), {
      Password: 'yet another one',
      'Confirm password': 'yet another one',
    })
    await expect(page.getByText('Failed to reset password. The link may be invalid or expired.')).toBeVisible()
  },
)
