import { DAY } from '../../../../src/domain/granularity'
import type { LedgerCheckout, LedgerCustomer, LedgerEvent, LedgerSubscription } from './ledger'

/** How long one payment lasts, and a page stays open. Milliseconds. */
const PERIOD = 30 * DAY
const OPEN = DAY

/** Pure functions from one state to the next; `newId` makes unguessable ids. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly newId: (prefix: string) => string
}

/** Events of renewals that were due, one for each period, since the last look. */
export function renewed(customer: LedgerCustomer, { now, newId }: Moment): LedgerCustomer {
  let after = customer
  for (const subscription of customer.subscriptions) {
    if (subscription.status !== 'active' || subscription.periodEnd > now) continue
    let { periodStart, periodEnd } = subscription
    while (periodEnd <= now) {
      after = { ...after, invoices: [...after.invoices, { id: newId('in'), paidAt: periodEnd }] }
      periodStart = periodEnd
      periodEnd += PERIOD
    }
    const next = { ...subscription, periodStart, periodEnd }
    after = happened(written(after, next), [eventOf('customer.subscription.updated', next, after, { now, newId })])
  }
  return after
}

export const isOpen = ({ status, createdAt }: LedgerCheckout, now: number): boolean =>
  status === 'open' && now - createdAt < OPEN

/** Subscribes: once, however often the button is pressed. */
export function paid(customer: LedgerCustomer, checkout: string, moment: Moment): LedgerCustomer {
  const { now, newId } = moment
  const found = customer.checkouts.find(({ id }) => id === checkout)
  if (found === undefined || !isOpen(found, now) || customer.removed) return customer
  const subscription: LedgerSubscription = {
    id: newId('sub'),
    status: 'active',
    createdAt: now,
    periodStart: now,
    periodEnd: now + PERIOD,
  }
  const after: LedgerCustomer = {
    ...customer,
    checkouts: customer.checkouts.map((each) => (each === found ? { ...found, status: 'complete' } : each)),
    subscriptions: [...customer.subscriptions, subscription],
    invoices: [...customer.invoices, { id: newId('in'), paidAt: now }],
  }
  return happened(after, [
    eventOf('customer.subscription.created', subscription, customer, moment),
    {
      id: newId('evt'),
      createdAt: now,
      type: 'checkout.session.completed',
      object: { id: checkout, customer: customer.id },
    },
  ])
}

/** Ends whatever runs, at once. */
export function canceled(customer: LedgerCustomer, moment: Moment): LedgerCustomer {
  let after = customer
  for (const subscription of customer.subscriptions) {
    if (subscription.status !== 'active') continue
    const ended = { ...subscription, status: 'canceled' as const, periodEnd: moment.now }
    after = happened(written(after, ended), [eventOf('customer.subscription.deleted', ended, after, moment)])
  }
  return after
}

export function removed(customer: LedgerCustomer, moment: Moment): LedgerCustomer {
  if (customer.removed) return customer
  const event = {
    id: moment.newId('evt'),
    createdAt: moment.now,
    type: 'customer.deleted',
    object: { id: customer.id },
  }
  return happened({ ...canceled(customer, moment), removed: true }, [event])
}

const written = (customer: LedgerCustomer, subscription: LedgerSubscription): LedgerCustomer => ({
  ...customer,
  subscriptions: customer.subscriptions.map((each) => (each.id === subscription.id ? subscription : each)),
})

const happened = (customer: LedgerCustomer, events: readonly LedgerEvent[]): LedgerCustomer => ({
  ...customer,
  events: [...customer.events, ...events],
})

const eventOf = (
  type: string,
  { id, status }: LedgerSubscription,
  { id: customer }: LedgerCustomer,
  { now, newId }: Moment,
): LedgerEvent => ({ id: newId('evt'), createdAt: now, type, object: { id, customer, status } })
