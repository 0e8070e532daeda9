import type { Page } from 'playwright/test'
import type { Widget } from '../../src/contract/widget'
import { card, cardNames, onCard } from './support/app'
import { billingWorld, FREE_PAIRS, PAIRS, type BillingWorld, type Provider } from './support/billing-world'
import { signIn } from './support/premium'
import { expect, test as base } from './support/test'
import { shownRatio } from './support/threshold'
import { continueToCheckout, expectPairs, expectTier, markPage, section, upgradeDialog } from './support/tier'
import { waitingChanges, widgetsOnServer } from './support/truth'

const test = base.extend<{ provider: Provider; world: BillingWorld }>({
  provider: ['sandbox', { option: true }],
  world: async ({ provider, sharedWorld }, use) => {
    const world = await billingWorld(provider, sharedWorld)
    await use(world)
    await world.end()
  },
  baseURL: async ({ world }, use) => use(world.server.origin),
})

const BANNER = 'Unlock 50 total widgets and advanced features!'
const settings = (page: Page) => page.getByRole('link', { name: 'Settings', exact: true }).first().click()
const plan = (page: Page) => page.getByRole('region', { name: 'Subscription Plan', exact: true })
const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

/** A user's pairs as the server keeps them, without the flag that says which are active. */
const kept = (widgets: readonly Widget[]) => widgets.map(({ is_active: _active, ...rest }) => rest)

async function saveCheckpoints(page: Page, pair: string, count: number): Promise<void> {
  await shownRatio(page, pair)
  await onCard(page, pair, 'Manage checkpoints').click()
  const dialog = page.getByRole('dialog', { name: 'Manage Checkpoints' })
  for (let saved = 1; saved <= count; saved += 1) {
    await dialog.getByRole('button', { name: 'Add checkpoint', exact: true }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(saved)
    await expect.poll(() => waitingChanges(page)).toBe(0)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

for (const provider of ['sandbox', 'stripe'] as const) {
  test.describe(provider === 'sandbox' ? 'in the sandbox' : "with Stripe's API", { tag: '@full' }, () => {
    test.use({ provider })

    test('a user buys, cancels and buys premium again; it takes effect in all tabs and no data is lost', async ({
      page,
      context,
      world,
    }) => {
      test.setTimeout(240_000)
      const { server, buyer } = world
      const onServer = () => widgetsOnServer(server.origin, { token: buyer.accessToken })
      await signIn(page, buyer)
      const other = await context.newPage()
      await other.goto('/')
      const stays = await markPage(other)
      for (const tab of [page, other]) {
        await expectPairs(tab, FREE_PAIRS, PAIRS - FREE_PAIRS)
        await expectTier(tab, 'Free Tier')
      }

      // The user cancels by the keyboard.
      const banner = page.getByRole('banner').filter({ hasText: BANNER })
      await banner.getByRole('button', { name: 'Upgrade', exact: true }).press('Enter')
      await expect(upgradeDialog(page)).toContainText('50')
      await expect(upgradeDialog(page)).toContainText(provider === 'sandbox' ? '$5.00 every 30 days' : '$5.00 a month')
      await upgradeDialog(page).getByRole('button', { name: 'Continue to checkout', exact: true }).press('Enter')
      await expect(page.getByRole('heading', { name: /Premium/ }).first()).toBeVisible()
      await press(page, 'Cancel')
      await expect(page).toHaveURL(/\/checkout-canceled$/)
      await expect(page.getByText('You were not charged.')).toBeVisible()
      await page.getByRole('link', { name: /dashboard/i }).click()
      await expectPairs(page, FREE_PAIRS, PAIRS - FREE_PAIRS)
      await expectTier(page, 'Free Tier')

      const [next = '', last = ''] = (await cardNames(page)).slice(FREE_PAIRS).map(String)
      await expect(section(page, 'Inactive Widgets').getByRole('article').first()).toHaveAccessibleName(next)
      await expect(card(page, last).getByText('Limit Reached')).toBeVisible()
      await card(page, last)
        .getByRole('button', { name: /upgrade/i })
        .click()
      await continueToCheckout(page)
      await press(page, 'Pay')
      await expect(page).toHaveURL(/\/checkout-success$/)
      await expect(page.getByText(/thank you/i).first()).toBeVisible()
      await expect(page.getByText('Premium is active')).toBeVisible()

      await expectPairs(other, PAIRS, 0)
      await expectTier(other, 'Premium')
      expect(await stays(), 'without a reload').toBe(true)
      await page.getByRole('link', { name: /dashboard/i }).click()
      await expectPairs(page, PAIRS, 0)
      await expectTier(page, 'Premium')
      await expect(page.getByText(BANNER)).toHaveCount(0)
      await saveCheckpoints(page, last, 2)
      const before = await onServer()
      expect(before.map(({ is_active }) => is_active)).toEqual(Array.from({ length: PAIRS }, () => true))
      expect(before.at(-1)?.checkpoints).toHaveLength(2)

      await settings(page)
      await expect(plan(page)).toContainText(/Max widgets.*7 in use\s*50/)
      await plan(page).getByRole('button', { name: 'Open Billing Portal' }).click()
      await press(page, 'Cancel subscription')
      await expect(page.getByRole('button', { name: 'Cancel subscription', exact: true })).toHaveCount(0)
      await page.getByRole('link', { name: 'Back to the app' }).click()
      await expect(page).toHaveURL(/\/settings$/)
      await expect(plan(page)).toContainText('Free Tier')
      await expect(plan(page)).toContainText(/7 in use\s*5/)
      await expectPairs(other, FREE_PAIRS, PAIRS - FREE_PAIRS)
      await expectTier(other, 'Free Tier')
      await expect(onCard(other, last, 'Manage checkpoints')).toHaveCount(0)
      expect(await stays(), 'without a reload').toBe(true)
      const after = await onServer()
      expect(kept(after)).toEqual(kept(before))
      expect(after.map(({ is_active }) => is_active)).toEqual(after.map((_, place) => place < FREE_PAIRS))

      // A user who comes back finds the same rows.
      await plan(page).getByRole('button', { name: 'Upgrade', exact: true }).click()
      await continueToCheckout(page)
      await press(page, 'Pay')
      await expect(page.getByText('Premium is active')).toBeVisible()
      await expectPairs(other, PAIRS, 0)
      await onCard(other, last, 'Manage checkpoints').click()
      await expect(other.getByRole('dialog', { name: 'Manage Checkpoints' }).getByRole('listitem')).toHaveCount(2)
      expect(kept(await onServer())).toEqual(kept(before))
    })
  })
}
