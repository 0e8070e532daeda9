import type { Page } from 'playwright/test'
import { installed, untilToast } from './support/app'
import { logIn } from './support/auth'
import type { Fate, FaultyProxy } from './support/faulty-proxy'
import { signIn } from './support/premium'
import { expect, test } from './support/accounts-test'
import { continueToCheckout, expectTier, upgradeDialog } from './support/tier'

const CHECKOUT = '/api/v1/subscriptions/create-checkout-session'
const PORTAL = '/api/v1/subscriptions/create-portal-session'
const NO_CONNECTION = 'Could not connect to the subscription service.'
const NO_PAYMENTS = 'Payment processing is currently unavailable.'

const meet = (network: FaultyProxy, path: string, fate: Fate) => {
  network.rule = (asked) => (asked.path === path ? fate : 'pass')
}
const openUpgrade = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Upgrade', exact: true }).click()

test(
  'a checkout that fails to open shows the reason of each failure and can be tried again',
  { tag: '@full' },
  async ({ page, context, network, accounts }) => {
    await signIn(page, accounts.free)
    await openUpgrade(page)
    await context.setOffline(true)
    await continueToCheckout(page)
    await untilToast(page, NO_CONNECTION)
    await context.setOffline(false)

    const refused = { error_code: 'ALREADY_SUBSCRIBED', detail: 'You have Premium already.' } as const
    const closed = { error_code: 'BILLING_UNAVAILABLE', detail: 'Closed for today' } as const
    for (const [fate, words] of [
      ['refuse', NO_CONNECTION],
      [closed, NO_PAYMENTS],
      [refused, 'Error: You have Premium already.'],
      ['lose-answer', NO_CONNECTION],
    ] as const) {
      meet(network, CHECKOUT, fate)
      await continueToCheckout(page)
      await untilToast(page, words)
      await page.getByText('Dismiss').click()
    }
    network.rule = () => 'pass'
    await continueToCheckout(page)
    await expect(page.getByRole('button', { name: 'Pay', exact: true }), 'what was lost hinders nothing').toBeVisible()
  },
)

test(
  'a billing portal that fails to open shows a toast for each kind of failure',
  { tag: '@full' },
  async ({ page, context, network, accounts }) => {
    // A user who has bought something once, as far as this browser knows.
    network.rewrite = () => (text) => text.replace('"has_billing_account":false', '"has_billing_account":true')
    await signIn(page, accounts.premium)
    await page.goto('/settings')
    const open = page.getByRole('button', { name: 'Open Billing Portal' })
    // The payment provider does not know the user: there is nothing to manage.
    await open.click()
    await untilToast(page, /^Could not open the billing portal\./)
    await page.getByText('Dismiss').click()
    meet(network, PORTAL, 'refuse')
    await open.click()
    await untilToast(page, /^Could not open the billing portal\./)
    await page.getByText('Dismiss').click()
    await context.setOffline(true)
    await open.click()
    await untilToast(page, /^Could not open the billing portal\./)
  },
)

test(
  'the upgrade dialog says that payments are unavailable when the server sells nothing',
  { tag: '@full' },
  async ({ page, network, accounts }) => {
    network.rewrite = ({ path }) =>
      path === '/api/v1/config'
        ? (text) => text.replace(/"billing":\{"available":true/, '"billing":{"available":false')
        : null
    await page.goto('/')
    await installed(page)
    await openUpgrade(page)
    await expect(upgradeDialog(page)).toContainText(NO_PAYMENTS)
    await page.keyboard.press('Escape')
    await logIn(page, accounts.free)
    await openUpgrade(page)
    await expect(upgradeDialog(page)).toContainText(NO_PAYMENTS)
  },
)

test(
  'the page after a checkout waits for the confirmation of premium, also through an offline spell',
  { tag: '@full' },
  async ({ page, context, network, accounts }) => {
    let paid = false
    network.rewrite = ({ path }) =>
      path === '/api/v1/users/me' && paid
        ? (text) => text.replace('"has_premium_access":false', '"has_premium_access":true')
        : null
    await signIn(page, accounts.free)
    await page.goto('/checkout-success')
    await expect(page.getByText('Confirming your payment…')).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText('The server could not be reached')).toBeVisible()
    paid = true
    await context.setOffline(false)
    await expect(page.getByText('Premium is active')).toBeVisible()
    await page.getByRole('link', { name: /dashboard/i }).click()
    await expectTier(page, 'Premium')
  },
)
