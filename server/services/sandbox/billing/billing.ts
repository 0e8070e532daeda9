import { randomBytes } from 'node:crypto'
import type { Payments } from '../../../adapters/payments/payments'
import { notSigned, readSignedEvent, type Webhooks } from '../../../adapters/payments/signed-event'
import { newSecret } from '../../secrets'
import type { KeptCheckout, KeptCustomer } from './kept-customer'
import { ledgerIn } from './ledger'
import { customerOfPage, sandboxPayments } from './payments'
import { canceled, isOpen, paid, removed, renewed } from './rules'
import { startTelling, type Telling } from './tell'

/** What is posted to the webhook, as Stripe would. */
export interface SignedPost {
  readonly body: string
  /** For the header `stripe-signature`. */
  readonly signature: string
}

/** A local payment provider that stands in for Stripe: whoever comes has paid, and nothing is charged. */
export interface SandboxBilling {
  /** As the rest of the server sees it. */
  readonly payments: Payments
  /** Where somebody can pay; null: there is no such page, or not any more. */
  checkout(id: string): KeptCheckout | null
  /** Where they go on once they have paid, also when the button is pressed again; null where they cannot pay. */
  pay(checkout: string): { readonly successUrl: string } | null
  /** Whose portal it is; null: nobody's. */
  visitor(visit: string): { readonly customer: KeptCustomer; readonly returnUrl: string } | null
  /** Ends what the visitor pays for, at once. */
  cancel(visit: string): void
  /**
   * From now on what happens is posted by this, until it answers with a status of success; also what was left over.
   * @param failed is told where what is kept of a customer cannot be read or written
   */
  tellBy(post: (post: SignedPost) => Promise<number | null>, failed: (error: unknown) => void): void
  stop(): Promise<void>
}

/**
 * @param folder where customers are kept: they survive a restart
 * @param clock milliseconds since 1970
 */
export function sandboxBilling(folder: string, publicUrl: string, clock: () => number): SandboxBilling {
  const ledger = ledgerIn(folder)
  const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`
  const moment = () => ({ now: clock(), newId })
  // Whoever posts and whoever reads are the same process.
  const secret = `whsec_${newSecret()}`
  let webhooks: Webhooks | null = null
  let telling: Telling | null = null

  function keep(customer: KeptCustomer): void {
    ledger.write(customer)
    if (customer.events.length > 0) telling?.soon(customer.id)
  }
  function change(id: string, by: (customer: KeptCustomer) => KeptCustomer): KeptCustomer | null {
    const before = ledger.read(id)
    if (before === null) return null
    const after = by(renewed(before, moment()))
    if (after !== before) keep(after)
    return after
  }
  const find = (id: string) => change(id, (customer) => customer)
  const payments = sandboxPayments({
    publicUrl,
    clock,
    newId,
    find,
    keep,
    remove: (id) => void change(id, (customer) => removed(customer, moment())),
    readEvent: (raw, signature = '', now) => {
      // Nothing has been signed before the first post.
      if (webhooks === null) throw notSigned()
      return readSignedEvent(webhooks, secret, raw, signature, now)
    },
  })
  const checkoutOf = (id: string, customer: KeptCustomer | null) =>
    (customer?.removed === false && customer.checkouts.find((checkout) => checkout.id === id)) || null
  const openCheckout = (id: string) => {
    const found = checkoutOf(id, find(customerOfPage(id)))
    return found !== null && isOpen(found, clock()) ? found : null
  }
  const visitor = (id: string) => {
    const customer = find(customerOfPage(id))
    const visit = customer?.visits.find((each) => each.id === id)
    return customer === null || customer.removed || visit === undefined ? null : { customer, returnUrl: visit.returnUrl } // prettier-ignore
  }

  return {
    payments,
    checkout: openCheckout,
    pay(id) {
      const after = change(customerOfPage(id), (customer) => paid(customer, id, moment()))
      const checkout = checkoutOf(id, after)
      return checkout?.status === 'complete' ? checkout : null
    },
    visitor,
    cancel(id) {
      if (visitor(id) !== null) change(customerOfPage(id), (customer) => canceled(customer, moment()))
    },
    tellBy(post, failed) {
      telling = startTelling({
        ledger,
        look: find,
        failed,
        post: async ({ id, createdAt, type, object }) => {
          webhooks ??= (await import('stripe')).Stripe.webhooks
          const body = JSON.stringify({ id, object: 'event', created: Math.floor(createdAt / 1000), type, data: { object } }) // prettier-ignore
          const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: Math.floor(clock() / 1000) }) // prettier-ignore
          return post({ body, signature })
        },
      })
    },
    stop: async () => telling?.stop(),
  }
}
