import type { Page } from 'playwright/test'
import { overflow, violations } from './support/axe'
import { signIn } from './support/premium'
import { startSeededServer, type Account, type SeededServer } from './support/seeded-server'
import { expect, test as base } from './support/test'
import { continueToCheckout, upgradeDialog } from './support/tier'
import { checkViews, PHONE } from './support/views'

const test = base.extend<object, { seeded: SeededServer<'operator' | 'customer' | 'buyer'> }>({
  seeded: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const seeded = await startSeededServer({ operator: { superuser: true }, customer: {}, buyer: {} }, { crowd: 25 })
      await use(seeded)
      expect(await seeded.server.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ seeded }, use) => use(seeded.server.origin),
})

interface Screen {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => expect(page.getByRole('heading', { name }).first()).toBeVisible()

/** In this order: each goes on where the one before left the page. */
const operatorScreens = ({ user }: Account): readonly Screen[] => [
  {
    name: 'the dashboard of an operator',
    open: async (page) => {
      await page.goto('/')
      await page.setViewportSize({ width: 1440, height: 900 })
      await expect(page.getByRole('region', { name: 'Operations', exact: true })).toContainText(/Users\s*28/)
      expect.soft(await violations(page), 'the figures').toEqual([])
      await page.setViewportSize(PHONE.viewport)
    },
  },
  {
    name: 'users',
    open: async (page) => {
      await page.goto('/admin/users')
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
      await page.goto(`/admin/users/${user.id}`)
      await heading(page, user.email)
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
  },
  {
    name: 'the audit log',
    open: async (page) => {
      await page.goto('/admin/audit-log')
      await expect(page.getByText(user.email).first()).toBeVisible()
    },
  },
  {
    name: 'the admin area without a network',
    open: async (page) => {
      await page.context().setOffline(true)
      await page.goto('/admin/users')
      await expect(page.getByText('Failed to fetch users.')).toBeVisible()
    },
  },
]

const buyerScreens: readonly Screen[] = [
  {
    name: 'the offer',
    open: async (page) => {
      await page.goto('/settings')
      await page.getByRole('main').getByRole('button', { name: 'Upgrade', exact: true }).click()
      await expect(upgradeDialog(page)).toBeVisible()
    },
  },
  {
    name: 'thanks, not confirmed yet',
    open: async (page) => {
      await page.goto('/checkout-success')
      await expect(page.getByText('Confirming your payment…')).toBeVisible()
    },
  },
]

/** A page of the sandbox, which knows no themes of ours. */
async function checkSandbox(page: Page, name: string): Promise<void> {
  expect.soft(await overflow(page), name).toBeLessThanOrEqual(0)
  expect.soft(await violations(page), name).toEqual([])
}

async function check(page: Page, { name, open }: Screen): Promise<void> {
  await test.step(name, async () => {
    await open(page)
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    await checkViews(page, name)
  })
}

test.use(PHONE)

test('every admin screen is accessible, fits its width and has large touch targets', async ({ page, seeded }) => {
  test.setTimeout(240_000)
  await signIn(page, seeded.people.operator)
  for (const screen of operatorScreens(seeded.people.customer)) await check(page, screen)
})

test('every screen from the premium offer to the billing portal is accessible and fits its width', async ({
  page,
  seeded,
}) => {
  await signIn(page, seeded.people.buyer)
  for (const screen of buyerScreens) await check(page, screen)
  await page.goto('/settings')
  await page.getByRole('main').getByRole('button', { name: 'Upgrade', exact: true }).click()
  await continueToCheckout(page)
  await expect(button(page, 'Pay')).toBeVisible()
  await checkSandbox(page, 'the page to pay on')
  await button(page, 'Pay').click()
  await expect(page.getByText('Premium is active')).toBeVisible()
  await checkViews(page, 'thanks')
  await page.goto('/settings')
  await expect(button(page, 'Open Billing Portal')).toBeVisible()
  await checkViews(page, 'settings with Premium')
  await button(page, 'Open Billing Portal').click()
  await expect(button(page, 'Cancel subscription')).toBeVisible()
  await checkSandbox(page, 'the portal')
})
