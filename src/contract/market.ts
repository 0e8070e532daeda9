import * as z from 'zod'
import { GRANULARITIES } from '../domain/granularity'
import { PERIODS } from '../domain/period'
import type { Route } from './routes'
import { coinId } from './scalars'

/** A pair that is offered to somebody who has none, with what is known of it; null: not known, or not of late. */
export const readyPair = z.object({
  coin_a_id: coinId,
  coin_b_id: coinId,
  ratio: z.number().nullable(),
  /** Its place within 90 days. */
  place: z
    .object({
      days: z.int(),
      below: z.int(),
      low: z.number(),
      median: z.number(),
      high: z.number(),
    })
    .nullable(),
})
export type ReadyPairAnswer = z.infer<typeof readyPair>

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

const readableCoins = readable(coin)

/** [milliseconds since 1970, USD], oldest first. */
const pricePoint = z.tuple([z.number(), z.number()])
const points = z.array(pricePoint)

const historicalQuery = z.strictObject({ period: z.enum(PERIODS) })

export const historical = z.object({
  /** The period and the initial-average window before it, as far as it can be had. */
  data: points,
  granularity: z.enum(GRANULARITIES),
  source: z.enum(MARKET_SOURCES),
  /** Points that `data` lacks at its old end, at coarser levels, nearest level first. */
  backfill: z.array(z.object({ granularity: z.enum(GRANULARITIES), data: points })),
})
export type Historical = z.infer<typeof historical>

const readablePoints = readable(pricePoint)
const readableHistorical = historical.extend({
  data: readablePoints,
  backfill: z.array(z.object({ granularity: z.enum(GRANULARITIES), data: readablePoints })),
})

/**
 * CoinGecko's word for a price's `provider_time` is `last_updated_at`, in whole seconds. Both servers' answers keep it, since
 * CLIENT_MARKET_DATA_URL may name CoinGecko itself. Milliseconds since 1970; null: the answer does not say.
 */
export const providerTimeOf = ({
  last_updated_at: seconds,
}: {
  readonly last_updated_at?: number | null | undefined
}) => (seconds == null ? null : seconds * 1000)
/** The reverse of `providerTimeOf`, for our own answers. */
export const lastUpdatedAt = (providerTime: number): number => Math.floor(providerTime / 1000)

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

export const marketRoutes = {
  supportedCoins: {
    method: 'GET',
    path: '/coins/supported',
    identity: 'none',
    summary: 'At most 500 coins by market-cap rank',
    status: 200,
    answer: z.array(coin),
    read: readableCoins,
  },
  historical: {
    method: 'GET',
    path: '/coins/:id/historical',
    identity: 'none',
    summary: "A coin's prices over a period",
    params: z.strictObject({ id: coinId }),
    query: historicalQuery,
    status: 200,
    answer: historical,
    read: readableHistorical,
  },
  readyPairs: {
    method: 'GET',
    path: '/pairs/ready',
    identity: 'none',
    summary: 'Pairs to begin with, each with its ratio and its place within 90 days where those are known',
    status: 200,
    answer: z.array(readyPair),
  },
} as const satisfies Record<string, Route>
