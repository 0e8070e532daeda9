import type { Locator, Page } from 'playwright/test'
import { installed } from './support/app'
import { expect, test } from './support/account-test'
import { authDialog, expectSignedIn, field, send } from './support/auth'
import { checkViews, PHONE } from './support/views'
import { followLink, register, type Person } from './support/person'
import { linkIn } from '../support/mailbox'
import type { AccountWorld } from './support/account-world'

interface Screen {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
}

/** Opens what a button of the phone's menu leads to. */
const fromMenu = async (page: Page, button: string) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).first().click()
}

const guestScreens: readonly Screen[] = [
  { name: 'the login page', open: (page) => page.goto('/login') },
  {
    name: 'the registration page, refused',
    open: async (page) => {
      await page.goto('/register')
      await send(page.getByRole('main'), { Email: 'nobody', Password: 'short', 'Confirm password': 'other' })
      await expect(page.getByText('Passwords do not match.')).toBeVisible()
    },
  },
  {
    name: 'the login dialog, refused',
    open: async (page) => {
      await fromMenu(page, 'Login')
      await send(authDialog(page, 'Log In'), { Email: 'nobody@example.com', Password: 'wrong' })
      await expect(authDialog(page, 'Log In').getByRole('alert')).toBeVisible()
    },
  },
  { name: 'the registration dialog', open: (page) => fromMenu(page, 'Register') },
  {
    name: 'a forgotten password, sent',
    open: async (page) => {
      await page.goto('/forgot-password')
      await send(page.getByRole('main'), { Email: 'nobody@example.com' })
      await expect(page.getByText(/If an account with this email exists/)).toBeVisible()
    },
  },
  { name: 'the dialog of a reset link', open: (page) => page.goto('/reset-password?token=x') },
  { name: 'a verification link without a token', open: (page) => page.goto('/verify-email') },
  {
    name: 'a verification link that is not good',
    open: async (page) => {
      await page.goto('/verify-email?token=x')
      await expect(page.getByText('This verification link is invalid or has expired.')).toBeVisible()
    },
  },
  { name: 'thanks for a checkout', open: (page) => page.goto('/checkout-success') },
  { name: 'a checkout that was left', open: (page) => page.goto('/checkout-canceled') },
  {
    name: 'feedback',
    open: async (page) => {
      await fromMenu(page, 'Feedback')
      await page.getByRole('dialog').getByRole('textbox').fill('short')
    },
  },
  { name: 'the terms', open: (page) => fromMenu(page, 'Terms of Use') },
  { name: 'settings of a guest', open: (page) => page.goto('/settings') },
  { name: 'status', open: (page) => page.goto('/status') },
]

const memberScreens: readonly Screen[] = [
  {
    name: 'the dashboard of a user',
    open: async (page) => {
      await page.goto('/')
      await expect(page.getByText("You haven't added any crypto pairs yet.")).toBeVisible()
    },
  },
  { name: 'settings of a user', open: (page) => page.goto('/settings') },
  {
    name: 'deleting the account',
    open: async (page) => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Delete Account', exact: true }).click()
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    },
  },
]

async function unaccepted(world: AccountWorld, person: Person): Promise<void> {
  await register(world, person)
  await followLink(world, person)
}

async function check(page: Page, { name, open }: Screen): Promise<void> {
  await test.step(name, async () => {
    await open(page)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await checkViews(page, name)
  })
}

test.describe('screens of an account in every view', () => {
  test.use(PHONE)

  test('every account screen and dialog of a guest is accessible, fits its width and has large touch targets', async ({
    page,
  }) => {
    await page.goto('/')
    await installed(page)
    for (const screen of guestScreens) await check(page, screen)
  })

  test('every account screen of a signed-in user is accessible, fits its width and has large touch targets', async ({
    page,
    world,
    stranger,
  }) => {
    await unaccepted(world, stranger)
    const accept = page.getByRole('button', { name: 'Accept and Continue', exact: true })
    const acceptance: Screen = {
      name: 'accepting the policies',
      open: async () => {
        await page.goto('/login')
        await installed(page)
        await send(page.getByRole('main'), { Email: stranger.email, Password: stranger.password })
        await expect(accept).toBeVisible()
      },
    }
    await check(page, acceptance)
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await accept.click()
    // A request under way when the user leaves the page counts as not made.
    await expect(accept).toBeHidden()
    for (const screen of memberScreens) await check(page, screen)
  })
})

test(
  'the fields of login, registration and password reset carry names and autocomplete for password managers',
  { tag: '@full' },
  async ({ page }) => {
    const expectFields = async (form: Locator, fields: Readonly<Record<string, string>>) => {
      for (const [label, autocomplete] of Object.entries(fields)) {
        await expect(field(form, label), label).toHaveAttribute('autocomplete', autocomplete)
        await expect(field(form, label), label).toHaveAttribute('name', /./)
      }
      const forms = await form.locator('form').count()
      expect(forms, 'a form of the platform').toBeGreaterThan(0)
    }
    const main = page.getByRole('main')
    await page.goto('/login')
    await expectFields(main, { Email: 'username', Password: 'current-password' })
    await page.goto('/register')
    await expectFields(main, { Email: 'username', Password: 'new-password', 'Confirm password': 'new-password' })
    await page.goto('/reset-password?token=x')
    await expectFields(authDialog(page, 'Reset Password'), {
      Password: 'new-password',
      'Confirm password': 'new-password',
    })
  },
)

test(
  'a user registers, logs in and logs out with the keyboard alone',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    await page.goto('/')
    await installed(page)
    const tabTo = async (target: Locator) => {
      await expect(target).toBeVisible()
      for (let presses = 0; presses < 60; presses += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`The tab key does not lead to ${target.toString()}.`)
    }
    const { email, password } = stranger
    await tabTo(page.getByRole('button', { name: 'Register', exact: true }))
    await page.keyboard.press('Enter')
    await expect(field(authDialog(page, 'Register'), 'Email')).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await tabTo(field(authDialog(page, 'Register'), 'Confirm password'))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Check your inbox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Register', exact: true }), 'the focus comes back').toBeFocused()

    await page.goto(linkIn(await world.mailbox.next(email), '/verify-email').href)
    await expect(page.getByText('Your email is verified')).toBeFocused()
    await tabTo(page.getByRole('link', { name: 'Proceed to Login', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(field(page.getByRole('main'), 'Email'))
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    for (const name of [/Terms of Use/, /Privacy Policy/]) {
      await tabTo(page.getByRole('checkbox', { name }))
      await page.keyboard.press('Space')
    }
    await tabTo(page.getByRole('button', { name: 'Accept and Continue', exact: true }))
    await page.keyboard.press('Enter')
    await expectSignedIn(page, email)
    await tabTo(page.getByRole('button', { name: 'Logout', exact: true }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  },
)
