import { randomBytes } from 'node:crypto'
import type {
  StripeCheckoutSession,
  StripeCustomer,
  StripeEvent,
  StripePortalSession,
  StripeSubscription,
} from './stripe-objects'

const STRIPE_API_VERSION = '2026-10-28.endive'

/** Seconds. */
const PERIOD = 30 * 24 * 3600

interface SubscriptionChange {
  readonly status?: string
  readonly cancel_at_period_end?: boolean
  /** Seconds since 1970; where set, it ends then. */
  readonly cancel_at?: number | null
  /** Seconds since 1970. */
  readonly current_period_start?: number
  readonly current_period_end?: number
}

/** The state of the stand-in for Stripe and its history. A change made here counts as done at Stripe and makes events. */
export interface StripeAccount {
  /** Oldest first. */
  readonly events: readonly StripeEvent[]
  /** `deleted`: there was one. */
  customer(id: string): StripeCustomer | 'deleted' | null
  customers(): readonly StripeCustomer[]
  /** Newest first; also those of customers that are gone. */
  subscriptionsOf(customer: string): readonly StripeSubscription[]
  subscription(id: string): StripeSubscription | null
  session(id: string): StripeCheckoutSession | null
  /** Newest first. */
  sessionsOf(customer: string): readonly StripeCheckoutSession[]
  portal(id: string): StripePortalSession | null

  createCustomer(request?: {
    readonly email?: string
    readonly metadata?: Readonly<Record<string, string>>
  }): StripeCustomer
  /** As if paid, without a checkout: `customer.subscription.created`, `invoice.paid`. */
  subscribe(customer: string, request?: SubscriptionRequest): StripeSubscription
  /** `customer.subscription.updated` */
  change(subscription: string, change: SubscriptionChange): StripeSubscription
  /** Ends it at once: `customer.subscription.deleted`. */
  cancel(subscription: string): StripeSubscription
  /** Ends what they pay for, and then `customer.deleted`. */
  deleteCustomer(id: string): void
  openSession(request: SessionRequest): StripeCheckoutSession
  /** As by the button of the page: subscribes, and `checkout.session.completed`. */
  pay(session: string): StripeCheckoutSession
  /** `checkout.session.expired` */
  expire(session: string): StripeCheckoutSession
  openPortal(request: Pick<StripePortalSession, 'customer' | 'return_url'>): StripePortalSession
}

interface SubscriptionRequest extends SubscriptionChange {
  readonly metadata?: Readonly<Record<string, string>>
}

interface SessionRequest extends Pick<
  StripeCheckoutSession,
  'customer' | 'client_reference_id' | 'success_url' | 'cancel_url' | 'metadata'
> {
  readonly subscriptionMetadata: Readonly<Record<string, string>>
}

interface Setup {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Origin of the hosted pages. */
  readonly origin: string
  readonly priceId: string
  readonly onEvent: (event: StripeEvent) => void
}

export function stripeAccount({ clock, origin, priceId, onEvent }: Setup): StripeAccount {
  const customers = new Map<string, StripeCustomer>()
  const deleted = new Set<string>()
  const subscriptions = new Map<string, StripeSubscription>()
  const sessions = new Map<string, StripeCheckoutSession>()
  const sessionMetadata = new Map<string, Readonly<Record<string, string>>>()
  const portals = new Map<string, StripePortalSession>()
  const events: StripeEvent[] = []
  const seconds = () => Math.floor(clock() / 1000)

  function happen(type: string, object: object): void {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: STRIPE_API_VERSION,
      created: seconds(),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: { ...object } },
    }
    events.push(event)
    onEvent(event)
  }

  const newest = <T extends { readonly customer: string }>(all: ReadonlyMap<string, T>, customer: string) =>
    [...all.values()].filter((each) => each.customer === customer).toReversed()

  function write(
    before: StripeSubscription,
    { current_period_start, current_period_end, ...change }: SubscriptionChange & Partial<StripeSubscription>,
  ) {
    const [item] = before.items.data
    const period = {
      current_period_start: current_period_start ?? item!.current_period_start,
      current_period_end: current_period_end ?? item!.current_period_end,
    }
    const after: StripeSubscription = {
      ...before,
      ...change,
      items: { ...before.items, data: [{ ...item!, ...period }] },
    }
    subscriptions.set(after.id, after)
    return after
  }

  function subscribe(
    customer: string,
    {
      status = 'active',
      cancel_at_period_end = false,
      cancel_at = null,
      metadata = {},
      ...period
    }: SubscriptionRequest = {},
  ): StripeSubscription {
    known(customers, customer)
    const id = newId('sub')
    const { current_period_start = seconds(), current_period_end = current_period_start + PERIOD } = period
    const item = {
      id: newId('si'),
      object: 'subscription_item',
      subscription: id,
      current_period_start,
      current_period_end,
      price: { id: priceId, object: 'price' },
    } as const
    const made: StripeSubscription = {
      id,
      object: 'subscription',
      created: seconds(),
      customer,
      status,
      cancel_at_period_end,
      cancel_at,
      canceled_at: null,
      ended_at: null,
      metadata,
      items: { object: 'list', url: `/v1/subscription_items?subscription=${id}`, has_more: false, data: [item] },
    }
    subscriptions.set(id, made)
    happen('customer.subscription.created', made)
    happen('invoice.paid', { id: newId('in'), object: 'invoice', customer, status: 'paid' })
    return made
  }

  function cancel(id: string): StripeSubscription {
    const ended = { status: 'canceled', cancel_at_period_end: false, canceled_at: seconds(), ended_at: seconds() }
    const after = write(known(subscriptions, id), ended)
    happen('customer.subscription.deleted', after)
    return after
  }

  function close(id: string, change: Partial<StripeCheckoutSession>): StripeCheckoutSession {
    const before = known(sessions, id)
    if (before.status !== 'open') throw new Error(`The session ${id} is ${before.status}`)
    const after = { ...before, ...change, url: null }
    sessions.set(id, after)
    return after
  }

  return {
    events,
    customer: (id) => customers.get(id) ?? (deleted.has(id) ? 'deleted' : null),
    customers: () => [...customers.values()],
    subscriptionsOf: (customer) => newest(subscriptions, customer),
    subscription: (id) => subscriptions.get(id) ?? null,
    session: (id) => sessions.get(id) ?? null,
    sessionsOf: (customer) => newest(sessions, customer),
    portal: (id) => portals.get(id) ?? null,

    createCustomer({ email, metadata = {} } = {}) {
      const made: StripeCustomer = {
        id: newId('cus'),
        object: 'customer',
        created: seconds(),
        email: email ?? null,
        metadata,
      }
      customers.set(made.id, made)
      happen('customer.created', made)
      return made
    },
    subscribe,
    change(id, change) {
      const after = write(known(subscriptions, id), change)
      happen('customer.subscription.updated', after)
      return after
    },
    cancel,
    deleteCustomer(id) {
      const gone = known(customers, id)
      for (const { id, status } of newest(subscriptions, gone.id)) if (status !== 'canceled') cancel(id)
      customers.delete(id)
      deleted.add(id)
      happen('customer.deleted', gone)
    },
    openSession({ subscriptionMetadata, ...request }) {
      known(customers, request.customer)
      const id = newId('cs_test')
      const made: StripeCheckoutSession = {
        id,
        object: 'checkout.session',
        created: seconds(),
        mode: 'subscription',
        status: 'open',
        payment_status: 'unpaid',
        subscription: null,
        url: `${origin}/c/pay/${id}`,
        ...request,
      }
      sessions.set(id, made)
      sessionMetadata.set(id, subscriptionMetadata)
      return made
    },
    pay(id) {
      const { customer } = close(id, { status: 'complete', payment_status: 'paid' })
      const { id: subscription } = subscribe(customer, { metadata: sessionMetadata.get(id) ?? {} })
      const paid = { ...known(sessions, id), subscription }
      sessions.set(id, paid)
      happen('checkout.session.completed', paid)
      return paid
    },
    expire(id) {
      const after = close(id, { status: 'expired' })
      happen('checkout.session.expired', after)
      return after
    },
    openPortal(request) {
      known(customers, request.customer)
      const id = newId('bps')
      const made: StripePortalSession = {
        id,
        object: 'billing_portal.session',
        created: seconds(),
        url: `${origin}/p/session/${id}`,
        ...request,
      }
      portals.set(id, made)
      return made
    },
  }
}

function known<T>(all: ReadonlyMap<string, T>, id: string): T {
  const found = all.get(id)
  if (found === undefined) throw new Error(`There is no ${id} at the stand-in of Stripe`)
  return found
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
