import * as z from 'zod/mini'
import { GRANULARITIES } from '../domain/granularity'
import { PERIODS } from '../domain/chart-periods'
import type { Route } from './route'
import { coinId } from './scalars'

/** A pair offered to an owner without pairs, with its figures; null: unknown, or too old. */
export const readyPair = z.object({
  coin_a_id: coinId,
  coin_b_id: coinId,
  ratio: z.nullable(z.number()),
  /** The ratio's rank within 90 days: a day that closed at it counts as half a day below. */
  place: z.nullable(
    z.object({ days: z.int(), below: z.number(), low: z.number(), median: z.number(), high: z.number() }),
  ),
})
export type ReadyPairAnswer = z.infer<typeof readyPair>

export const MARKET_SOURCES = ['coingecko', 'simulated'] as const
export type MarketSource = (typeof MARKET_SOURCES)[number]

/** Names the source of prices beside CoinGecko's wire format. */
export const SOURCE_HEADER = 'x-market-source'
/**
 * When the newest of the answer's prices was stored, by the server's clock, in milliseconds since 1970: of two answers, over
 * all server processes and caches, the one with the later time has the newer prices.
 */
export const AS_OF_HEADER = 'x-prices-as-of'

export const coin = z.object({
  id: coinId,
  symbol: z.string(),
  name: z.string(),
  image: z.nullable(z.string()),
  current_price: z.nullable(z.number()),
  market_cap_rank: z.int().check(z.minimum(1)),
})
export type Coin = z.infer<typeof coin>

/** Reads a list item by item and leaves out unreadable items; a list of nothing else is refused. */
const readable = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((items, context): z.output<T>[] => {
      const found = items.flatMap((one) => {
        const read = item.safeParse(one)
        return read.success ? [read.data] : []
      })
      if (found.length === 0 && items.length > 0) {
        context.issues.push({ code: 'custom', message: 'No item of the list can be read.', input: items })
      }
      return found
    }),
  )

/** [milliseconds since 1970, USD], oldest first. */
const pricePoint = z.tuple([z.number(), z.number()])
const points = z.array(pricePoint)

export const historical = z.object({
  /** The period and as much of the initial-average window before it as the server has. */
  data: points,
  granularity: z.enum(GRANULARITIES),
  source: z.enum(MARKET_SOURCES),
  /** Points that `data` lacks at its old end, at coarser levels, nearest level first. */
  backfill: z.array(z.object({ granularity: z.enum(GRANULARITIES), data: points })),
})
export type Historical = z.infer<typeof historical>

const readablePoints = readable(pricePoint)

/**
 * The `provider_time` of a price, which CoinGecko's format names `last_updated_at`, in whole seconds. Our answers keep that
 * format, since CLIENT_MARKET_DATA_URL may name CoinGecko itself. Milliseconds since 1970; null: the answer does not say.
 */
export const providerTimeOf = (price: { readonly last_updated_at?: number | null | undefined }): number | null =>
  price.last_updated_at == null ? null : price.last_updated_at * 1000
/** The reverse of `providerTimeOf`, for our own answers. */
export const lastUpdatedAt = (providerTime: number): number => Math.floor(providerTime / 1000)

/** CoinGecko's wire format of /simple/price; unknown ids are left out. */
export const simplePrice = z.record(
  z.string(),
  z.looseObject({
    usd: z.nullish(z.number()),
    last_updated_at: z.nullish(z.number()),
    /** Ours, beside CoinGecko's: the exchange (contract/stream.ts) whose ticker gave the price; absent: the provider. */
    via: z.optional(z.string()),
  }),
)
export type SimplePrice = z.infer<typeof simplePrice>

/** An unreadable price counts as none. */
const readableNumber = z.catch(z.nullish(z.number()), null)
export const readableSimplePrice = z.record(
  z.string(),
  z.catch(
    z.looseObject({
      usd: readableNumber,
      last_updated_at: readableNumber,
      via: z.catch(z.optional(z.string()), undefined),
    }),
    { usd: null, last_updated_at: null },
  ),
)

export const marketRoutes = {
  supportedCoins: {
    method: 'GET',
    path: '/coins/supported',
    identity: 'none',
    summary: 'At most 500 coins by market-cap rank',
    answer: z.array(coin),
    read: readable(coin),
  },
  historical: {
    method: 'GET',
    path: '/coins/:id/historical',
    identity: 'none',
    summary: "A coin's prices over a period",
    params: z.strictObject({ id: coinId }),
    query: z.strictObject({ period: z.enum(PERIODS) }),
    answer: historical,
    read: z.extend(historical, {
      data: readablePoints,
      backfill: z.array(z.object({ granularity: z.enum(GRANULARITIES), data: readablePoints })),
    }),
  },
  /** In the wire format of src/domain/daily-matrix.ts. */
  dailyCloses: {
    method: 'GET',
    path: '/market/daily',
    identity: 'none',
    summary: 'Daily closes of the best coins by market cap and of all watched coins, in one binary matrix',
    media: 'application/octet-stream',
    answer: null,
  },
  readyPairs: {
    method: 'GET',
    path: '/pairs/ready',
    identity: 'none',
    summary: 'Pairs to begin with, each with its ratio and its place within 90 days where those are known',
    answer: z.array(readyPair),
  },
} as const satisfies Record<string, Route>
