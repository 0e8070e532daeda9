import * as z from 'zod'

/** Where the browser goes to pay: the payment provider's own page. */
export const checkoutAnswer = z.object({ session_id: z.string(), url: z.url() })
export type CheckoutAnswer = z.infer<typeof checkoutAnswer>

/** Where the browser goes to manage a subscription: the payment provider's own page. */
export const portalAnswer = z.object({ url: z.url() })
export type PortalAnswer = z.infer<typeof portalAnswer>

/** Premium of one origin: what is paid for at the provider, or what an operator has granted. */
export const subscription = z.object({
  id: z.uuid(),
  /** Begins with `MANUAL_PREFIX` where an operator has granted it. */
  stripe_subscription_id: z.string(),
  /** The provider's word, see `ENTITLING_STATUSES`; a grant is `active`, then `canceled`. */
  status: z.string(),
  current_period_start: z.string(),
  current_period_end: z.string(),
  /** It ends with the period, and is not renewed. */
  cancel_at_period_end: z.boolean(),
  created_at: z.string(),
})
export type Subscription = z.infer<typeof subscription>
