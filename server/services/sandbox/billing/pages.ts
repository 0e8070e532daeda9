import { escapeHtml } from '../../mail/letter'
import { type Markup, sandboxPage } from '../page'
import type { KeptCustomer } from './kept-customer'
import { SANDBOX_PRICE } from './payments'

const PRICE = `${SANDBOX_PRICE.amount} ${SANDBOX_PRICE.currency}`
const EVERY = `every ${SANDBOX_PRICE.interval_count} ${SANDBOX_PRICE.interval}s`

/** Where somebody subscribes. */
export const checkoutPage = (): string =>
  sandboxPage('Premium', [
    'This page stands in for Stripe Checkout. No card is asked for, and nothing is charged.',
    {
      html: `<dl><dt>Price</dt><dd>${PRICE} ${EVERY}</dd><dt>Renewal</dt><dd>by itself, until canceled</dd></dl>`,
    },
    {
      html: `<form method="post">
<button class="main" name="decision" value="pay">Pay</button>
<button name="decision" value="cancel">Cancel</button>
</form>`,
    },
  ])

/** Where somebody sees what they pay for, and ends it. @param returnUrl where they came from */
export function portalPage({ email, subscriptions, invoices }: KeptCustomer, returnUrl: string): string {
  const running = subscriptions.find(({ status }) => status === 'active')
  const plan: readonly (string | Markup)[] =
    running === undefined
      ? ['No subscription.']
      : [
          { html: `<dl><dt>Plan</dt><dd>Premium, ${PRICE} ${EVERY}</dd><dt>Renews</dt><dd>${dayOf(running.periodEnd)}</dd></dl>` }, // prettier-ignore
          { html: '<form method="post"><button name="decision" value="cancel">Cancel subscription</button></form>' },
          { html: '<p class="muted">It ends at once.</p>' },
        ]
  const paid = invoices.toReversed().map(({ paidAt }) => `<li>${dayOf(paidAt)}: ${PRICE}, paid</li>`)
  return sandboxPage('Billing', [
    'This page stands in for Stripe’s customer portal.',
    { html: `<dl><dt>Customer</dt><dd>${escapeHtml(email)}</dd></dl>` },
    ...plan,
    { html: `<h2>Invoices</h2>${paid.length === 0 ? '<p>None yet.</p>' : `<ul>${paid.join('')}</ul>`}` },
    { html: `<p><a href="${escapeHtml(returnUrl)}">Back to the app</a></p>` },
  ])
}

/** For whoever comes back to a page that has served its purpose. */
export const outdatedBillingPage = (): string =>
  sandboxPage('This page is over', ['It was used already, or is too old.', { html: '<p><a href="/settings">Back to the app</a></p>' }]) // prettier-ignore

const dayOf = (instant: number): string => {
  const day = new Date(instant).toISOString().slice(0, 10)
  return `<time datetime="${day}">${day}</time>`
}
