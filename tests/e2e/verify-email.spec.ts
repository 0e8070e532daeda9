import { expect, test } from './support/account-test'
import { authDialog, send } from './support/auth'
import { register, type Person } from './support/person'
import type { AccountWorld } from './support/account-world'
import { linkIn, type ReceivedMail } from '../support/mailbox'

const linkOf = (mail: ReceivedMail) => linkIn(mail, '/verify-email').href

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
