import type { Page } from 'playwright/test'
import { expect, test } from './support/account-test'
import { installed, onCard } from './support/app'
import { overflow, violations } from './support/axe'
import { send } from './support/auth'
import { fetchBoard, PAIR } from './support/board'
import { followLink, register, signInElsewhere } from './support/person'
import { signIn } from './support/premium'
import { escape, go, lookAt, type Screen } from './support/screen'
import { seedBoard } from './support/seed-board'
import type { Account } from './support/seeded-server'
import { FREE_PAIRS } from './support/shared-world'
import { shownRatio } from './support/threshold'
import { continueToCheckout, upgradeDialog } from './support/tier'
import { PHONE } from './support/views'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const upgrade = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Upgrade', exact: true }).click()

/** A page of the sandbox, which knows no themes of ours. */
async function checkSandbox(page: Page, name: string): Promise<void> {
  expect.soft(await overflow(page), name).toBeLessThanOrEqual(0)
  expect.soft(await violations(page), name).toEqual([])
}

const ownScreens: readonly Screen[] = [
  {
    name: 'the dashboard of a user',
    open: (page) => expect(page.getByText("You haven't added any crypto pairs yet.")).toBeVisible(),
  },
  { name: 'settings of a user', open: (page) => go(page, '/settings') },
  {
    name: 'deleting the account',
    open: async (page) => {
      await button(page, 'Delete Account').click()
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'the offer',
    open: async (page) => {
      await upgrade(page)
      await expect(upgradeDialog(page)).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'thanks, not confirmed yet',
    open: async (page) => {
      await go(page, '/checkout-success')
      await expect(page.getByText('Confirming your payment…')).toBeVisible()
    },
  },
]

const premiumScreens: readonly Screen[] = [
  { name: 'thanks', open: () => Promise.resolve() },
  {
    name: 'settings with Premium',
    open: async (page) => {
      await go(page, '/settings')
      await expect(button(page, 'Open Billing Portal')).toBeVisible()
    },
  },
  {
    name: 'Manage Checkpoints',
    open: async (page) => {
      await go(page, '/')
      await fetchBoard(page)
      await shownRatio(page, PAIR)
      await onCard(page, PAIR, 'Manage checkpoints').click()
      const dialog = page.getByRole('dialog', { name: 'Manage Checkpoints' })
      const rows = dialog.getByRole('listitem')
      for (const count of [1, 2]) {
        await dialog.getByRole('button', { name: 'Add checkpoint', exact: true }).click()
        await expect(rows).toHaveCount(count)
      }
    },
    close: escape,
  },
]

const inactive: Screen = {
  name: 'inactive cards',
  open: (page) => expect(page.getByText('Limit Reached').first()).toBeVisible(),
}

const operatorScreens = ({ user }: Account): readonly Screen[] => [
  {
    name: 'the dashboard of an operator',
    open: async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await expect(page.getByRole('region', { name: 'Operations', exact: true })).toContainText(/Users\s*\d\d/)
      expect.soft(await violations(page), 'the figures').toEqual([])
      await page.setViewportSize(PHONE.viewport)
    },
  },
  {
    name: 'users',
    open: async (page) => {
      await go(page, '/admin/users')
      await expect(page.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem')).toHaveCount(20)
    },
  },
  {
    name: 'nobody found',
    open: async (page) => {
      await page.getByRole('searchbox', { name: 'Search users', exact: true }).fill('%_<b>')
      await expect(page).toHaveURL(/search=/)
      await expect(page.getByRole('list', { name: 'Users' })).toHaveCount(0)
    },
  },
  {
    name: 'a user',
    open: async (page) => {
      await go(page, `/admin/users/${user.id}`)
      await expect(page.getByRole('heading', { name: user.email }).first()).toBeVisible()
    },
  },
  {
    name: 'granting',
    open: async (page) => {
      await button(page, 'Grant premium').click()
      await expect(page.getByRole('dialog', { name: 'Grant premium' })).toBeVisible()
    },
  },
  {
    name: 'a user with Premium',
    open: async (page) => {
      await page.getByRole('spinbutton', { name: 'Days' }).press('Enter')
      await expect(button(page, 'Revoke')).toBeEnabled()
    },
  },
  {
    name: 'revoking',
    open: async (page) => {
      await button(page, 'Revoke').click()
      await expect(page.getByRole('alertdialog', { name: 'Revoke premium?' })).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'the audit log',
    open: async (page) => {
      await go(page, '/admin/audit-log')
      await expect(page.getByText(user.email).first()).toBeVisible()
    },
  },
  {
    name: 'the admin area without a network',
    open: async (page) => {
      await page.context().setOffline(true)
      await go(page, '/admin/users')
      await expect(page.getByText('Failed to fetch users.')).toBeVisible()
    },
  },
]

test.use(PHONE)

test('every screen of a signed-in user, from the policies to the billing portal, is accessible in both themes, fits its width and has large touch targets', async ({
  page,
  sharedWorld: world,
  stranger,
}) => {
  test.setTimeout(600_000)
  await register(world, stranger)
  await followLink(world, stranger)
  const accept = button(page, 'Accept and Continue')
  const acceptance: Screen = {
    name: 'accepting the policies',
    open: async () => {
      await page.goto('/login')
      await installed(page)
      await send(page.getByRole('main'), { Email: stranger.email, Password: stranger.password })
      await expect(accept).toBeVisible()
    },
  }
  await lookAt(page, [acceptance])
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await accept.click()
  // A request under way when the user leaves the page counts as not made.
  await expect(accept).toBeHidden()
  await lookAt(page, ownScreens)

  await go(page, '/settings')
  await upgrade(page)
  await continueToCheckout(page)
  await expect(button(page, 'Pay')).toBeVisible()
  await checkSandbox(page, 'the page to pay on')
  await button(page, 'Pay').click()
  await expect(page.getByText('Premium is active')).toBeVisible()
  const { access_token } = await signInElsewhere(world.server.origin, stranger)
  await seedBoard(world.server.origin, { token: access_token }, FREE_PAIRS + 1)
  await lookAt(page, premiumScreens)
  await go(page, '/settings')
  await button(page, 'Open Billing Portal').click()
  await expect(button(page, 'Cancel subscription')).toBeVisible()
  await checkSandbox(page, 'the portal')
  await button(page, 'Cancel subscription').click()
  await expect(button(page, 'Cancel subscription')).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to the app' }).click()
  await expect(page.getByRole('region', { name: 'Subscription Plan', exact: true })).toContainText('Free Tier')
  await go(page, '/')
  await lookAt(page, [inactive])
})

test(
  'every admin screen is accessible in both themes, fits its width and has large touch targets',
  { tag: '@full' },
  async ({ page, sharedWorld: { people } }) => {
    test.setTimeout(600_000)
    await signIn(page, people.operator)
    await lookAt(page, operatorScreens(people.customer))
  },
)
