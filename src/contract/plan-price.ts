import * as z from 'zod'

/** The price of a plan. `interval` is Stripe's word; a client that does not know it shows no price. */
export const planPrice = z.object({
  /** Decimal, in the currency's unit, such as "5.00". */
  amount: z.string().regex(/^\d+(\.\d+)?$/),
  /** ISO 4217, in capitals. */
  currency: z.string().regex(/^[A-Z]{3}$/),
  interval: z.string(),
  /** It is paid every so many intervals. */
  interval_count: z.int().min(1),
})
export type PlanPrice = z.infer<typeof planPrice>
