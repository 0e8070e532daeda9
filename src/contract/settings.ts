import * as z from 'zod'
import { MARKET_SOURCES } from './market'
import { planPrice } from './plan-price'

const limits = z.object({ max_widgets: z.int().min(1), max_checkpoints_per_widget: z.int().min(1) })
export const tierLimits = z.object({ free: limits, premium: limits })

/** Public run-time settings. */
export const config = z.object({
  version: z.string(),
  vapid_public_key: z.string().nullable(),
  google: z
    .object({
      client_id: z.string(),
      authorization_url: z.string(),
      /** The only address to which Google sends anybody back; earlier servers do not say. */
      redirect_uri: z.string().optional(),
    })
    .nullable(),
  billing: z.object({
    available: z.boolean(),
    sandbox: z.boolean(),
    /** The price of Premium; absent: not known, or nothing is sold. */
    price: planPrice.optional(),
  }),
  market_data: z.object({
    source: z.enum(MARKET_SOURCES),
    /** Base of CoinGecko's API v3 that clients poll, without a trailing slash. */
    price_url: z.string(),
    attribution: z.object({ text: z.string(), url: z.string().nullable() }),
  }),
  support_email: z.string(),
})
export type Config = z.infer<typeof config>
