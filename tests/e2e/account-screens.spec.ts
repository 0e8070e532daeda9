import { installed } from './support/app'
import { expect, test } from './support/account-test'
import { authDialog, expectSignedIn, field } from './support/auth'
import { tabTo } from './support/tab-to'
import { linkIn } from '../support/mailbox'

test(
  'a user registers, logs in and logs out with the keyboard alone',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    await page.goto('/')
    await installed(page)
    const { email, password } = stranger
    await tabTo(page, page.getByRole('button', { name: 'Register', exact: true }))
    await page.keyboard.press('Enter')
    await expect(field(authDialog(page, 'Register'), 'Email')).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await tabTo(page, field(authDialog(page, 'Register'), 'Confirm password'))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expectSignedIn(page, email)

    await page.goto(linkIn(await world.mailbox.next(email), '/verify-email').href)
    await expect(page.getByText('Your email is verified')).toBeFocused()
    await tabTo(page, page.getByRole('link', { name: 'Open the dashboard', exact: true }))
    await page.keyboard.press('Enter')
    const logOut = async () => {
      await tabTo(page, page.getByRole('button', { name: 'Logout', exact: true }))
      await page.keyboard.press('Enter')
    }
    await logOut()
    await tabTo(page, page.getByRole('button', { name: 'Login', exact: true }))
    await page.keyboard.press('Enter')
    await expect(field(authDialog(page, 'Log In'), 'Email')).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expectSignedIn(page, email)
    await logOut()
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  },
)
