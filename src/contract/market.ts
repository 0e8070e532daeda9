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

/** Reads a list item by item: one that cannot be read costs no other. Nothing but such items is no list. */
const readable = <T extends z.ZodType>(item: T) =>
  z.array(z.unknown()).transform((items, context): z.output<T>[] => {
    const found = items.flatMap((one) => {
      const read = item.safeParse(one)
      return read.success ? [read.data] : []
    })
    if (found.length === 0 && items.length > 0) context.addIssue('No item of the list can be read.')
    return found
  })

export const readableCoins = readable(coin)

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

const readablePoints = readable(pricePoint)
export const readableHistorical = historical.extend({
  data: readablePoints,
  backfill: z.array(z.object({ granularity: z.enum(GRANULARITIES), data: readablePoints })),
})

/** CoinGecko's wire format of /simple/price; unknown ids are left out. */
export const simplePrice = z.record(
  z.string(),
  z.looseObject({ usd: z.number().nullish(), last_updated_at: z.number().nullish() }),
)
export type SimplePrice = z.infer<typeof simplePrice>

/** A coin whose price cannot be read has none. */
const aNumber = z.number().nullish().catch(null)
export const readableSimplePrice = z.record(
  z.string(),
  z.looseObject({ usd: aNumber, last_updated_at: aNumber }).catch({ usd: null, last_updated_at: null }),
)
