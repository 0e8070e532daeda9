import { createHash } from 'node:crypto'
import { type Payments, type RemoteSubscription, UnknownCustomer } from '../../../adapters/payments/payments'
import type { KeptCustomer, KeptSubscription } from './kept-customer'
import { isOpen } from './rules'

/** The price on the sandbox's pages. */
export const SANDBOX_PRICE = { amount: '5.00', currency: 'USD', interval: 'day', interval_count: 30 } as const

/** Where the pages are, from the origin. */
export const SANDBOX_BILLING = '/sandbox/billing'

interface Parts {
  readonly publicUrl: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly newId: (prefix: string) => string
  /** Null where there is none; a removed one is there until that was told. */
  readonly find: (customer: string) => KeptCustomer | null
  readonly keep: (customer: KeptCustomer) => void
  readonly remove: (customer: string) => void
  readonly readEvent: Payments['readEvent']
}

/** The sandbox's payment provider as the rest of the server sees it: no different from Stripe. */
export function sandboxPayments({ publicUrl, clock, newId, find, keep, remove, readEvent }: Parts): Payments {
  const known = (id: string): KeptCustomer => {
    const found = find(id)
    if (found === null || found.removed) throw new UnknownCustomer('the sandbox knows no such customer')
    return found
  }
  const pageOf = (kind: 'checkout' | 'portal', id: string) => `${publicUrl}${SANDBOX_BILLING}/${kind}/${id}`
  return {
    sandbox: true,
    price: async () => SANDBOX_PRICE,
    createCustomer: async ({ id: userId, email, replaces }) => {
      const id = customerIdOf(userId, replaces)
      const kept = { id, userId, email, createdAt: clock(), removed: false, subscriptions: [], checkouts: [], visits: [], invoices: [], events: [] } // prettier-ignore
      if (find(id) === null) keep(kept)
      return id
    },
    createCheckout: async ({ customer, successUrl, cancelUrl }) => {
      const kept = known(customer)
      const open = kept.checkouts.find((checkout) => isOpen(checkout, clock()))
      const id = open?.id ?? pageId('cs', customer, newId)
      // The one that is open is used again: two pages would sell two subscriptions.
      if (open === undefined) keep({ ...kept, checkouts: [...kept.checkouts, { id, createdAt: clock(), status: 'open', successUrl, cancelUrl }] }) // prettier-ignore
      return { id, url: pageOf('checkout', id) }
    },
    createPortal: async ({ customer, returnUrl }) => {
      const kept = known(customer)
      const id = pageId('bps', customer, newId)
      keep({ ...kept, visits: [...kept.visits.slice(1 - MOST_VISITS), { id, createdAt: clock(), returnUrl }] })
      return { url: pageOf('portal', id) }
    },
    subscriptionsOf: async (customer) => (find(customer)?.subscriptions ?? []).map(remoteSubscription),
    removeCustomer: async (customer) => remove(customer),
    readEvent,
  }
}

/** Pages of one customer's portal that can be open side by side. */
const MOST_VISITS = 20

/** The same for the same user, however often it is made. */
const customerIdOf = (userId: string, replaces: string | null): string =>
  `cus_${createHash('sha256').update(`${userId} ${replaces ?? ''}`).digest('hex').slice(0, 24)}` // prettier-ignore

/** Says whose page it is, so that the customer is found. */
const pageId = (prefix: string, customer: string, newId: Parts['newId']): string =>
  newId(`${prefix}_${customer.slice('cus_'.length)}`)

export const customerOfPage = (page: string): string => `cus_${page.split('_')[1] ?? ''}`

const remoteSubscription = ({ id, status, periodStart, periodEnd, createdAt }: KeptSubscription): RemoteSubscription => ({ id, status, periodStart, periodEnd, createdAt, cancelAtPeriodEnd: false }) // prettier-ignore
