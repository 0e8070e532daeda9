import type { StripeAccount } from './stripe-account'

/** A page, or where the browser goes. */
export type PageAnswer = { readonly html: string } | { readonly location: string }

const PAY = /^\/c\/pay\/(\w+)$/
const PORTAL = /^\/p\/session\/(\w+)$/

/**
 * The pages that Stripe hosts, with forms that need no script.
 * @returns null where there is none
 */
export function hostedPage(
  account: StripeAccount,
  method: string,
  path: string,
  form: URLSearchParams,
): PageAnswer | null {
  const session = account.session(PAY.exec(path)?.[1] ?? '')
  if (session !== null) {
    if (session.status !== 'open') return { html: document('This page is over', '') }
    if (method !== 'POST')
      return {
        html: document(
          'Premium',
          '<p>5.00 USD a month</p><form method="post"><button name="do" value="pay">Pay</button> <button name="do" value="cancel">Cancel</button></form>',
        ),
      }
    if (form.get('do') === 'cancel') return { location: session.cancel_url ?? '/' }
    const paid = account.pay(session.id)
    return { location: paid.success_url.replaceAll('{CHECKOUT_SESSION_ID}', paid.id) }
  }
  const portal = account.portal(PORTAL.exec(path)?.[1] ?? '')
  if (portal === null) return null
  const running = account.subscriptionsOf(portal.customer).filter(({ status }) => status !== 'canceled')
  if (method === 'POST') {
    for (const { id } of running) account.cancel(id)
    return { location: path }
  }
  const plan =
    running.length === 0
      ? '<p>No subscription</p>'
      : '<p>Premium, 5.00 USD a month</p><form method="post"><button>Cancel subscription</button></form>'
  return { html: document('Billing', `${plan}<p><a href="${portal.return_url ?? '/'}">Back to the app</a></p>`) }
}

const document = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main><h1>${title}</h1>${body}</main></body></html>`
