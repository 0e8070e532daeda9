import { expect, type Locator, type Page } from 'playwright/test'

export const section = (page: Page, name: 'Active Widgets' | 'Inactive Widgets'): Locator =>
  page.getByRole('region', { name: new RegExp(`^${name}`) })

/** Waits until the board shows so many pairs of each kind; an empty section of inactive ones is not there. */
export async function expectPairs(page: Page, active: number, inactive: number, timeout = 15_000): Promise<void> {
  await expect(section(page, 'Active Widgets').getByRole('article')).toHaveCount(active, { timeout })
  await expect(section(page, 'Inactive Widgets').getByRole('article')).toHaveCount(inactive, { timeout })
}

/** The sidebar's words about the user's tier. */
export const expectTier = (page: Page, tier: 'Free Tier' | 'Premium'): Promise<void> =>
  expect(page.getByRole('banner').getByText(tier, { exact: true })).toBeVisible()

export const upgradeDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Upgrade to Premium', exact: true })

/** Leaves for the page to pay on, from the dialog that is open. */
export const continueToCheckout = (page: Page): Promise<void> =>
  upgradeDialog(page).getByRole('button', { name: 'Continue to checkout', exact: true }).click()

/** A mark on the page: while it is there, the page has not been loaded anew. */
export async function markPage(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.documentElement.setAttribute('data-marked', ''))
  return () => page.evaluate(() => document.documentElement.hasAttribute('data-marked'))
}
