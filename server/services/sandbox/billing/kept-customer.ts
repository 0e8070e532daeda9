import * as z from 'zod'

const instant = z.number()

const keptSubscription = z.object({
  id: z.string(),
  status: z.enum(['active', 'canceled']),
  createdAt: instant,
  periodStart: instant,
  periodEnd: instant,
})
export type KeptSubscription = z.infer<typeof keptSubscription>

const keptCheckout = z.object({
  id: z.string(),
  createdAt: instant,
  status: z.enum(['open', 'complete']),
  successUrl: z.string(),
  cancelUrl: z.string(),
})
export type KeptCheckout = z.infer<typeof keptCheckout>

const keptVisit = z.object({ id: z.string(), createdAt: instant, returnUrl: z.string() })

const keptEvent = z.object({
  id: z.string(),
  createdAt: instant,
  type: z.string(),
  /** What it is about, as much as whoever is told needs. */
  object: z.record(z.string(), z.string()),
})
export type KeptEvent = z.infer<typeof keptEvent>

/** All that the sandbox's payment provider knows of one customer. Instants are milliseconds since 1970. */
export const keptCustomer = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  createdAt: instant,
  /** Removed; kept until that has been told. */
  removed: z.boolean(),
  /** In the order in which they were made, as are the others. */
  subscriptions: z.array(keptSubscription),
  checkouts: z.array(keptCheckout),
  visits: z.array(keptVisit),
  /** When each was paid. */
  invoices: z.array(z.object({ id: z.string(), paidAt: instant })),
  /** What has happened, and not been told yet. */
  events: z.array(keptEvent),
})
export type KeptCustomer = z.infer<typeof keptCustomer>
