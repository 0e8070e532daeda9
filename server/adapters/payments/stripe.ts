import type Stripe from 'stripe'
import type { PlanPrice } from '../../../src/contract/billing'
import {
  type CheckoutOrder,
  type NewCustomer,
  type Payments,
  PaymentsUnavailable,
  readSignedEvent,
  type RemoteSubscription,
  UnknownCustomer,
} from './payments'

interface Setup {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly priceId: string
  /** Origin of another server that speaks Stripe's API. */
  readonly apiUrl?: string | undefined
  /** Milliseconds for one answer. */
  readonly timeout?: number
}

/**
 * Milliseconds for one answer, and how often a call is made again. Together they end before the request does for whose
 * sake Stripe is asked (20 s), so that its answer says what was the matter.
 */
const STRIPE_TIMEOUT_MS = 5_000
const STRIPE_RETRIES = 2

/**
 * Stripe (https://docs.stripe.com/api), by its own SDK, which is loaded here and not at the start of a server that does
 * without.
 */
export async function stripePayments(setup: Setup): Promise<Payments> {
  const { secretKey, webhookSecret, priceId, apiUrl, timeout = STRIPE_TIMEOUT_MS } = setup
  const { default: StripeClient } = await import('stripe')
  const stripe = new StripeClient(secretKey, {
    timeout,
    maxNetworkRetries: STRIPE_RETRIES,
    telemetry: false,
    ...(apiUrl !== undefined && serverAt(apiUrl)),
  })
  return {
    sandbox: false,
    price: () => asked(stripe.prices.retrieve(priceId).then(planPriceOf)),
    createCustomer: (user) => asked(createCustomer(stripe, user)),
    createCheckout: (order) => asked(createCheckout(stripe, order, priceId)),
    createPortal: ({ customer, returnUrl }) =>
      asked(stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }).then(({ url }) => ({ url }))),
    subscriptionsOf: (customer) => asked(subscriptionsOf(stripe, customer)),
    removeCustomer: (customer) =>
      asked(stripe.customers.del(customer)).then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof UnknownCustomer)) throw error
        },
      ),
    readEvent: (raw, signature = '', now) => readSignedEvent(stripe.webhooks, webhookSecret, raw, signature, now),
  }
}

/** @param url an origin */
export function serverAt(url: string): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  const { hostname, port, protocol } = new URL(url)
  const secure = protocol === 'https:'
  // A URL writes an IPv6 address in brackets, a socket does not.
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? (secure ? 443 : 80) : Number(port), protocol: secure ? 'https' : 'http' }
}

function planPriceOf({ unit_amount, currency, recurring }: Stripe.Price): PlanPrice | null {
  if (unit_amount === null || recurring === null) return null
  const { interval, interval_count } = recurring
  const code = currency.toUpperCase()
  return { amount: decimalAmount(unit_amount, code), currency: code, interval, interval_count }
}

async function createCustomer(stripe: Stripe, { id, email, replaces }: NewCustomer): Promise<string> {
  // Under the same key Stripe gives the same customer for a day, also one that was removed there meanwhile.
  const idempotencyKey = ['customer', id, ...(replaces === null ? [] : [replaces])].join(' ')
  const customer = await stripe.customers.create({ email, metadata: { user_id: id } }, { idempotencyKey })
  return customer.id
}

/** Several may be asked for at once, and each looks after it has made its own: so all of them find the newest. */
async function createCheckout(
  stripe: Stripe,
  { customer, userId, successUrl, cancelUrl }: CheckoutOrder,
  price: string,
): Promise<{ id: string; url: string }> {
  const made = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    client_reference_id: userId,
    subscription_data: { metadata: { user_id: userId } },
    success_url: successUrl,
    cancel_url: cancelUrl,
  })
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  const newestFirst = data.toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
  const [kept = made, ...older] = newestFirst
  await Promise.all(older.map((session) => expire(stripe, session.id)))
  if (kept.url === null) throw new PaymentsUnavailable('checkout session without an address')
  return { id: kept.id, url: kept.url }
}

/** A session that was paid or has ended meanwhile cannot be closed, and need not be. */
async function expire(stripe: Stripe, session: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(session)
  } catch (error) {
    if (!isStripeError(error) || error.type !== 'StripeInvalidRequestError') throw error
  }
}

async function subscriptionsOf(stripe: Stripe, customer: string): Promise<RemoteSubscription[]> {
  try {
    const all = await stripe.subscriptions
      .list({ customer, status: 'all', limit: 100 })
      .autoPagingToArray({ limit: 10_000 })
    return all.map(remoteSubscription)
  } catch (error) {
    if (isUnknownCustomer(error)) return []
    throw error
  }
}

/** The billing period stands on the items, of which ours has one; a subscription without any is over. */
function remoteSubscription(subscription: Stripe.Subscription): RemoteSubscription {
  const { items, created } = subscription
  const starts = items.data.map((item) => item.current_period_start)
  const ends = items.data.map((item) => item.current_period_end)
  return {
    id: subscription.id,
    status: subscription.status,
    periodStart: 1000 * (starts.length === 0 ? created : Math.min(...starts)),
    periodEnd: 1000 * (ends.length === 0 ? (subscription.ended_at ?? created) : Math.max(...ends)),
    createdAt: 1000 * created,
    // In the billing mode `flexible` the portal sets the date alone.
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at != null,
  }
}

const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')

/** `customer` is the parameter of most calls, `id` that of those whose address names it. */
const isUnknownCustomer = (error: unknown): boolean =>
  isStripeError(error) && error.code === 'resource_missing' && (error.param === 'customer' || error.param === 'id')

/** Of Stripe's errors no more than codes: its messages quote what they were sent. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!isStripeError(error)) throw error
    const { type, code, statusCode, requestId } = error
    const why = [type, statusCode, code, requestId].filter((part) => part !== undefined).join(' ')
    throw isUnknownCustomer(error) ? new UnknownCustomer(why) : new PaymentsUnavailable(why)
  }
}

/**
 * Currencies whose amounts Stripe counts in the unit itself, or in thousandths; all others are counted in hundredths, ISK
 * too (https://docs.stripe.com/currencies).
 */
const IN_UNITS = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'JPY',
  'KMF',
  'KRW',
  'MGA',
  'PYG',
  'RWF',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
]
const IN_THOUSANDTHS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/**
 * Stripe's amount as a decimal in the currency's unit: 500 of USD is "5.00", 500 of JPY "500".
 * @param minor a whole number of at least 0
 * @param currency ISO 4217, in capitals
 */
export function decimalAmount(minor: number, currency: string): string {
  const decimals = IN_UNITS.includes(currency) ? 0 : IN_THOUSANDTHS.includes(currency) ? 3 : 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
