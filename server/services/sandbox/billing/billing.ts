import { createHash, randomBytes } from 'node:crypto'
import {
  notSigned,
  type Payments,
  readSignedEvent,
  type RemoteSubscription,
  UnknownCustomer,
  type Webhooks,
} from '../../../adapters/payments/payments'
import { newSecret } from '../../secrets'
import { startEventDelivery, type EventDelivery } from './deliver-events'
import { type LedgerCheckout, type LedgerCustomer, type LedgerSubscription, ledgerIn } from './ledger'
import { canceled, isOpen, paid, removed, renewed } from './rules'

/** The price on the sandbox's pages. */
export const SANDBOX_PRICE = { amount: '5.00', currency: 'USD', interval: 'day', interval_count: 30 } as const

/** Path of the pages. */
export const SANDBOX_BILLING = '/sandbox/billing'

/** Body posted to the webhook, as Stripe would. */
export interface SignedPost {
  readonly body: string
  /** For the header `stripe-signature`. */
  readonly signature: string
}

export type SandboxBilling = ReturnType<typeof sandboxBilling>

/**
 * A local payment provider that stands in for Stripe: every visitor who presses Pay has paid, and nothing is charged.
 * @param folder where customers are kept: they survive a restart
 * @param clock milliseconds since 1970
 */
export function sandboxBilling(folder: string, publicUrl: string, clock: () => number) {
  const ledger = ledgerIn(folder)
  const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`
  const moment = () => ({ now: clock(), newId })
  // The same process signs and checks.
  const secret = `whsec_${newSecret()}`
  let webhooks: Webhooks | null = null
  let delivery: EventDelivery | null = null

  function keep(customer: LedgerCustomer): void {
    ledger.write(customer)
    if (customer.events.length > 0) delivery?.deliverSoon(customer.id)
  }
  function change(id: string, by: (customer: LedgerCustomer) => LedgerCustomer): LedgerCustomer | null {
    const before = ledger.read(id)
    if (before === null) return null
    const after = by(renewed(before, moment()))
    if (after !== before) keep(after)
    return after
  }
  const find = (id: string) => change(id, (customer) => customer)
  const known = (id: string): LedgerCustomer => {
    const found = find(id)
    if (found === null || found.removed) throw new UnknownCustomer('the sandbox knows no such customer')
    return found
  }
  const pageOf = (kind: 'checkout' | 'portal', id: string) => `${publicUrl}${SANDBOX_BILLING}/${kind}/${id}`
  const payments: Payments = {
    sandbox: true,
    price: async () => SANDBOX_PRICE,
    createCustomer: async ({ id: userId, email, replaces }) => {
      const id = customerIdOf(userId, replaces)
      const none = { subscriptions: [], checkouts: [], visits: [], invoices: [], events: [] }
      if (find(id) === null) keep({ id, userId, email, createdAt: clock(), removed: false, ...none })
      return id
    },
    createCheckout: async ({ customer, successUrl, cancelUrl }) => {
      const kept = known(customer)
      const open = kept.checkouts.find((checkout) => isOpen(checkout, clock()))
      const id = open?.id ?? pageId('cs', customer, newId)
      const made = { id, createdAt: clock(), status: 'open' as const, successUrl, cancelUrl }
      // The page that is open is used again: two pages would sell two subscriptions.
      if (open === undefined) keep({ ...kept, checkouts: [...kept.checkouts, made] })
      return { id, url: pageOf('checkout', id) }
    },
    createPortal: async ({ customer, returnUrl }) => {
      const kept = known(customer)
      const id = pageId('bps', customer, newId)
      keep({ ...kept, visits: [...kept.visits.slice(1 - MAX_VISITS), { id, createdAt: clock(), returnUrl }] })
      return { url: pageOf('portal', id) }
    },
    subscriptionsOf: async (customer) => (find(customer)?.subscriptions ?? []).map(remoteSubscription),
    removeCustomer: async (id) => void change(id, (customer) => removed(customer, moment())),
    readEvent: (raw, signature = '', now) => {
      // Nothing has been signed before the first post.
      if (webhooks === null) throw notSigned()
      return readSignedEvent(webhooks, secret, raw, signature, now)
    },
  }
  const checkoutOf = (id: string, customer: LedgerCustomer | null) =>
    (customer?.removed === false && customer.checkouts.find((checkout) => checkout.id === id)) || null
  const openCheckout = (id: string): LedgerCheckout | null => {
    const found = checkoutOf(id, find(customerOfPage(id)))
    return found !== null && isOpen(found, clock()) ? found : null
  }
  const visitor = (id: string): { readonly customer: LedgerCustomer; readonly returnUrl: string } | null => {
    const customer = find(customerOfPage(id))
    const visit = customer?.visits.find((each) => each.id === id)
    return customer === null || customer.removed || visit === undefined
      ? null
      : { customer, returnUrl: visit.returnUrl }
  }

  return {
    /** As the rest of the server sees it. */
    payments,
    /** An open checkout page; null: there is none (any more). */
    checkout: openCheckout,
    /** Address to send the payer on to, also when the button is pressed again; null: the page takes no payment. */
    pay(id: string): { readonly successUrl: string } | null {
      const after = change(customerOfPage(id), (customer) => paid(customer, id, moment()))
      const checkout = checkoutOf(id, after)
      return checkout?.status === 'complete' ? checkout : null
    },
    /** The customer whose portal this is; null: there is no such visit. */
    visitor,
    /** Ends the visitor's subscriptions at once. */
    cancel(id: string): void {
      if (visitor(id) !== null) change(customerOfPage(id), (customer) => canceled(customer, moment()))
    },
    /**
     * From now on events are posted by this, until it answers with a status of success; also those that were left over.
     * @param failed is called when a customer's file cannot be read or written
     */
    deliverBy(post: (post: SignedPost) => Promise<number | null>, failed: (error: unknown) => void): void {
      delivery = startEventDelivery({
        ledger,
        look: find,
        failed,
        post: async ({ id, createdAt, type, object }) => {
          webhooks ??= (await import('stripe')).Stripe.webhooks
          const created = Math.floor(createdAt / 1000)
          const body = JSON.stringify({ id, object: 'event', created, type, data: { object } })
          const timestamp = Math.floor(clock() / 1000)
          const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
          return post({ body, signature })
        },
      })
    },
    stop: async () => delivery?.stop(),
  }
}

/** Pages of one customer's portal that can be open side by side. */
const MAX_VISITS = 20

/** The same for the same user, however often it is made. */
const customerIdOf = (userId: string, replaces: string | null): string =>
  `cus_${createHash('sha256')
    .update(`${userId} ${replaces ?? ''}`)
    .digest('hex')
    .slice(0, 24)}`

/** Says whose page it is, so that the customer is found. */
const pageId = (prefix: string, customer: string, newId: (prefix: string) => string): string =>
  newId(`${prefix}_${customer.slice('cus_'.length)}`)

const customerOfPage = (page: string): string => `cus_${page.split('_')[1] ?? ''}`

const remoteSubscription = (subscription: LedgerSubscription): RemoteSubscription => ({
  ...subscription,
  cancelAtPeriodEnd: false,
})
