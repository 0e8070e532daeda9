import type { Stripe } from 'stripe'
import * as z from 'zod'
import type { PlanPrice } from '../../../src/contract/billing'
import { ApiError } from '../../http/api-error'

/** A subscription as the payment provider has it now. */
export interface RemoteSubscription {
  readonly id: string
  /** The provider's word. */
  readonly status: string
  /** Milliseconds since 1970. */
  readonly periodStart: number
  readonly periodEnd: number
  readonly createdAt: number
  readonly cancelAtPeriodEnd: boolean
}

/** A change at the provider. The server asks the provider for the present state, since events come in any order, and again. */
export interface BillingEvent {
  readonly id: string
  readonly type: string
  /** The customer that the event concerns; null: nobody's subscription. */
  readonly customer: string | null
}

/** The payment provider: Stripe, or the sandbox. Every call throws PaymentsUnavailable without an answer. */
export interface Payments {
  /** Nothing is charged. */
  readonly sandbox: boolean
  /** The price of Premium; null if it has no single amount or is not paid again and again. */
  price(): Promise<PlanPrice | null>
  /** Makes the customer that a user is; asked again within a day, it is the same one. */
  createCustomer(user: NewCustomer): Promise<string>
  /**
   * Opens a page on which the customer can subscribe, and closes those opened before: of several that are asked for at
   * once, all lead to the same page.
   * @throws UnknownCustomer
   */
  createCheckout(order: CheckoutOrder): Promise<{ readonly id: string; readonly url: string }>
  /** @throws UnknownCustomer */
  createPortal(visit: { readonly customer: string; readonly returnUrl: string }): Promise<{ readonly url: string }>
  /** All that the customer ever had; none where the provider does not know them (any more). */
  subscriptionsOf(customer: string): Promise<RemoteSubscription[]>
  /** Ends what they pay for at once, and forgets them; also where that was done before. */
  removeCustomer(customer: string): Promise<void>
  /**
   * Reads what the provider posts to the webhook.
   * @param raw the body, byte for byte: that is what is signed
   * @param now milliseconds since 1970; what was signed more than 300 s before is refused
   * @throws ApiError INVALID_SIGNATURE
   */
  readEvent(raw: Buffer, signature: string | undefined, now: number): BillingEvent
}

export interface NewCustomer {
  readonly id: string
  readonly email: string
  /** The customer they were until the provider forgot it; null: none. */
  readonly replaces: string | null
}

export interface CheckoutOrder {
  readonly customer: string
  readonly userId: string
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The provider did not answer, or not as it should. */
export class PaymentsUnavailable extends Error {
  override readonly name: string = 'PaymentsUnavailable'
}

/** The provider has no such customer (any more): somebody has removed it there. */
export class UnknownCustomer extends PaymentsUnavailable {
  override readonly name = 'UnknownCustomer'
}

/** The SDK's functions that sign events and verify signatures. */
export type Webhooks = typeof Stripe.webhooks

/** Seconds. */
const SIGNATURE_TOLERANCE = 300

/**
 * Reads an event as Stripe posts it (https://docs.stripe.com/webhooks/signature).
 * @param now milliseconds since 1970; what was signed more than 300 s before is refused
 * @throws ApiError INVALID_SIGNATURE
 */
export function readSignedEvent(
  webhooks: Webhooks,
  secret: string,
  raw: Buffer,
  signature: string,
  now: number,
): BillingEvent {
  let read: unknown
  try {
    read = webhooks.constructEvent(raw, signature, secret, SIGNATURE_TOLERANCE, undefined, now)
  } catch {
    throw notSigned()
  }
  return billingEvent.parse(read)
}

/** A body that was not signed so; the answer does not tell a guesser why. */
export const notSigned = (): ApiError =>
  new ApiError('INVALID_SIGNATURE', 'This was not signed by the payment provider, or too long ago.')

/** Events after which an account's subscriptions may be others. */
const OF_CONCERN: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_failed',
])

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])

const whose = z.looseObject({ id: z.string().optional(), customer: reference.nullish() })

/** The object of an irrelevant event is not parsed: Stripe repeats a refused event for days. */
const billingEvent = z
  .object({
    id: z.string().min(1).max(255),
    type: z.string().min(1).max(255),
    data: z.object({ object: z.looseObject({}) }),
  })
  .transform(({ id, type, data }): BillingEvent => {
    if (!OF_CONCERN.has(type)) return { id, type, customer: null }
    const object = whose.parse(data.object)
    return { id, type, customer: (type === 'customer.deleted' ? object.id : object.customer) ?? null }
  })
