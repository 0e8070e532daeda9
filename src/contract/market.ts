import * as z from 'zod'
import { GRANULARITIES } from '../domain/granularity'
import { PERIODS } from '../domain/period'
import { coinId } from './scalars'

export const MARKET_SOURCES = ['coingecko', 'simulated'] as const
export type MarketSource = (typeof MARKET_SOURCES)[number]

/** Says, beside prices in CoinGecko's wire format, where this server has them from. */
export const SOURCE_HEADER = 'x-market-source'

export const coin = z.object({
  id: coinId,
  symbol: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  current_price: z.number().nullable(),
  market_cap_rank: z.int().min(1),
})
export type Coin = z.infer<typeof coin>

/** [milliseconds since 1970, USD], oldest first. */
export const pricePoint = z.tuple([z.number(), z.number()])
const points = z.array(pricePoint)

export const historicalQuery = z.strictObject({ period: z.enum(PERIODS) })

export const historical = z.object({
  /** The period and the initial-average window before it, as far as it can be had. */
  data: points,
  granularity: z.enum(GRANULARITIES),
  source: z.enum(MARKET_SOURCES),
  /** What `data` lacks at its old end, at coarser levels, nearest level first. */
  backfill: z.array(z.object({ granularity: z.enum(GRANULARITIES), data: points })),
})
export type Historical = z.infer<typeof historical>

/** CoinGecko's wire format of /simple/price; unknown ids are left out. */
export const simplePrice = z.record(
  z.string(),
  z.looseObject({ usd: z.number().nullish(), last_updated_at: z.number().nullish() }),
)
export type SimplePrice = z.infer<typeof simplePrice>
