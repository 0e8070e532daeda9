import * as z from 'zod/mini'
import type { Route } from './route'
import { emptyBody, user } from './session'

/** The price of a plan. `interval` is Stripe's word; a client that does not know it shows no price. */
export const planPrice = z.object({
  /** Decimal, in the currency's unit, such as "5.00". */
  amount: z.string().check(z.regex(/^\d+(\.\d+)?$/)),
  /** ISO 4217, in capitals. */
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  interval: z.string(),
  /** Intervals from one payment to the next. */
  interval_count: z.int().check(z.minimum(1)),
})
export type PlanPrice = z.infer<typeof planPrice>

/** Address of the payment provider's page on which the user pays. */
export const checkoutAnswer = z.object({ session_id: z.string(), url: z.url() })
export type CheckoutAnswer = z.infer<typeof checkoutAnswer>

/** Address of the payment provider's page on which the user manages the subscription. */
export const portalAnswer = z.object({ url: z.url() })
export type PortalAnswer = z.infer<typeof portalAnswer>

/** Premium of one origin: a purchase at the provider, or a grant of an operator. */
export const subscription = z.object({
  id: z.uuid(),
  /** A grant's begins with `MANUAL_PREFIX`. */
  stripe_subscription_id: z.string(),
  /** The provider's word, see `ENTITLING_STATUSES`; a grant is `active`, then `canceled`. */
  status: z.string(),
  current_period_start: z.string(),
  current_period_end: z.string(),
  /** True: the subscription ends with the period. */
  cancel_at_period_end: z.boolean(),
  created_at: z.string(),
})
export type Subscription = z.infer<typeof subscription>

/** Routes by which users buy and manage Premium. */
export const billingRoutes = {
  createCheckoutSession: {
    method: 'POST',
    path: '/subscriptions/create-checkout-session',
    identity: 'user',
    summary: 'Opens a page of the payment provider on which the caller can subscribe to Premium',
    body: emptyBody,
    answer: checkoutAnswer,
  },
  createPortalSession: {
    method: 'POST',
    path: '/subscriptions/create-portal-session',
    identity: 'user',
    summary: "Opens a page of the payment provider on which the caller's subscription is managed",
    body: emptyBody,
    answer: portalAnswer,
  },
  /** For a user who comes back from the provider, whose event may not have arrived. */
  refreshSubscription: {
    method: 'POST',
    path: '/subscriptions/refresh',
    identity: 'user',
    summary: "Asks the payment provider what the caller pays for; answers with the caller's account",
    body: emptyBody,
    answer: user,
  },
} as const satisfies Record<string, Route>
