import { DAY } from '../../../../src/domain/granularity'
import type { KeptCheckout, KeptCustomer, KeptEvent, KeptSubscription } from './kept-customer'

/** How long one payment lasts, and a page stays open. Milliseconds. */
export const PERIOD = 30 * DAY
const OPEN = DAY

/** Everything below takes what is known and gives what is known then; `newId` makes ids that nobody can guess. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly newId: (prefix: string) => string
}

/** What comes with renewals that were due, one for each period: nobody may have looked for long. */
export function renewed(customer: KeptCustomer, { now, newId }: Moment): KeptCustomer {
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

export const isOpen = ({ status, createdAt }: KeptCheckout, now: number): boolean =>
  status === 'open' && now - createdAt < OPEN

/** Subscribes: once, however often the button is pressed. */
export function paid(customer: KeptCustomer, checkout: string, moment: Moment): KeptCustomer {
  const { now, newId } = moment
  const found = customer.checkouts.find(({ id }) => id === checkout)
  if (found === undefined || !isOpen(found, now) || customer.removed) return customer
  const subscription: KeptSubscription = { id: newId('sub'), status: 'active', createdAt: now, periodStart: now, periodEnd: now + PERIOD } // prettier-ignore
  const after: KeptCustomer = {
    ...customer,
    checkouts: customer.checkouts.map((each) => (each === found ? { ...found, status: 'complete' } : each)),
    subscriptions: [...customer.subscriptions, subscription],
    invoices: [...customer.invoices, { id: newId('in'), paidAt: now }],
  }
  return happened(after, [
    eventOf('customer.subscription.created', subscription, customer, moment),
    { id: newId('evt'), createdAt: now, type: 'checkout.session.completed', object: { id: checkout, customer: customer.id } }, // prettier-ignore
  ])
}

/** Ends whatever runs, at once. */
export function canceled(customer: KeptCustomer, moment: Moment): KeptCustomer {
  let after = customer
  for (const subscription of customer.subscriptions) {
    if (subscription.status !== 'active') continue
    const ended = { ...subscription, status: 'canceled' as const, periodEnd: moment.now }
    after = happened(written(after, ended), [eventOf('customer.subscription.deleted', ended, after, moment)]) // prettier-ignore
  }
  return after
}

export function removed(customer: KeptCustomer, moment: Moment): KeptCustomer {
  if (customer.removed) return customer
  const event = {
    id: moment.newId('evt'),
    createdAt: moment.now,
    type: 'customer.deleted',
    object: { id: customer.id },
  }
  return happened({ ...canceled(customer, moment), removed: true }, [event])
}

const written = (customer: KeptCustomer, subscription: KeptSubscription): KeptCustomer => ({
  ...customer,
  subscriptions: customer.subscriptions.map((each) => (each.id === subscription.id ? subscription : each)),
})

const happened = (customer: KeptCustomer, events: readonly KeptEvent[]): KeptCustomer => ({
  ...customer,
  events: [...customer.events, ...events],
})

const eventOf = (type: string, { id, status }: KeptSubscription, { id: customer }: KeptCustomer, { now, newId }: Moment): KeptEvent => ({ id: newId('evt'), createdAt: now, type, object: { id, customer, status } }) // prettier-ignore
