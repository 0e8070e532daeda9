import type { Stripe } from 'stripe'
import * as z from 'zod'
import { ApiError } from '../../api-error'
import type { BillingEvent } from './payments'

/** What of the SDK signs events, and tells who has. */
export type Webhooks = typeof Stripe.webhooks

/** Seconds. */
const TOLERANCE = 300

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
    read = webhooks.constructEvent(raw, signature, secret, TOLERANCE, undefined, now)
  } catch {
    throw notSigned()
  }
  return billingEvent.parse(read)
}

/** Whatever is wrong with it, it is not what was signed; why not is told to nobody who guesses. */
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

/** What events of no concern are about is not looked at: a refused event is sent again for days. */
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
