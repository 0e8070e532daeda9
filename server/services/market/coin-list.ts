import type { Pool } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { utcDayOf } from '../../../src/domain/daily-matrix'
import { HOUR } from '../../../src/domain/granularity'
import { COIN_ID_PATTERN } from '../../../src/domain/ids'
import { isDue, pauseAfter } from '../../../src/domain/waits'
import { type ListedCoin, ProviderError, type SpotPrice } from '../../adapters/market-data/provider'
import { shareReads } from '../../waits'
import { coinKinds } from './coin-kinds'
import type { FeedDeps, StorePrices } from './feed'
import { AHEAD } from './prices/stored-prices'

/** Coins of the list: the specification's bound. */
export const MAX_COINS = 500
const PAUSES_AFTER_FAILURE = { first: 30_000, growth: 2, longest: HOUR }
/** This process trusts the list that it read for so long; another may have renewed it. Milliseconds. */
const LIST_TRUST_MS = 30_000

export type CoinList = ReturnType<typeof coinList>

/** The source's coins, read from the database and renewed once a day. A failing source never empties it. */
export function coinList({ pool, provider, clock, logger, store }: FeedDeps & { readonly store: StorePrices }) {
  const { source } = provider
  // An empty list is not kept, since everybody waits for the first one.
  const known = shareReads(
    () => readCoins(pool, source),
    LIST_TRUST_MS,
    clock,
    ({ all }) => all.length > 0,
  )
  const kinds = coinKinds({ pool, provider, clock, logger })
  let failures = 0
  let retryAt = 0

  async function refresh(): Promise<void> {
    const coins = await provider.listCoins(MAX_COINS)
    if (coins.length === 0) throw new ProviderError('malformed', 'The list of coins came empty')
    const now = clock()
    await saveCoins(pool, source, coins, now)
    const listed = coins.flatMap(({ id, usd, providerTime }): [string, SpotPrice][] =>
      usd === null ? [] : [[id, { usd, providerTime }]],
    )
    known.forget()
    // Once a day is no history.
    await store(new Map(listed), { history: false })
    logger?.info({ source, coins: coins.length }, 'list of coins renewed')
    await kinds.refreshIfDue(coins)
  }

  return {
    /** Every coin that was ever listed, ranked ones first; the same array until the list is read again. */
    all: async (): Promise<readonly KnownCoin[]> => (await known.get()).all,
    byId: async (): Promise<ReadonlyMap<string, KnownCoin>> => (await known.get()).byId,

    /**
     * Fetches the list once in every UTC day, at its start, when its prices are closes of the day before; and no sooner after
     * a failure than that allows.
     */
    refreshIfDue: async (): Promise<void> => {
      const now = clock()
      if (!isDue(retryAt, now, PAUSES_AFTER_FAILURE.longest)) return
      const listedAt = await lastListedAt(pool, source, now)
      if (listedAt !== null && utcDayOf(listedAt) >= utcDayOf(now)) return
      try {
        await refresh()
        failures = 0
        retryAt = 0
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failures += 1
        retryAt = now + Math.max(error.retryAfter ?? 0, pauseAfter(failures, PAUSES_AFTER_FAILURE))
        logger?.warn({ failure: error.failure, err: error }, 'the list of coins could not be renewed')
      }
    },
  }
}

export interface KnownCoin {
  /** In the tables that have many rows. */
  readonly key: number
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly image: string | null
  /** Null once its source no longer lists it; its widgets and its history stay. */
  readonly market_cap_rank: number | null
}

/**
 * A list, closes and clients' interest write to many coins at once, each in one statement that takes its rows in this order
 * first: two of them never wait for each other.
 */
export const IN_ORDER = 'ORDER BY id FOR NO KEY UPDATE'

/** A list that has lost more than this part of its coins was cut off rather than changed. */
const CREDIBLE_LOSS = 0.2

/**
 * Takes over a list. Coins that it no longer has lose their rank, unless so many are missing that the list cannot be
 * whole; nothing is forgotten, an image that the list leaves out included.
 */
export async function saveCoins(
  pool: Pool,
  source: MarketSource,
  coins: readonly ListedCoin[],
  now: number,
): Promise<void> {
  const columns = [
    coins.map((coin) => coin.id),
    coins.map((coin) => coin.symbol),
    coins.map((coin) => coin.name),
    coins.map((coin) => coin.image),
    coins.map((coin) => coin.market_cap_rank),
  ]
  await pool.query(
    `WITH given AS (
       SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[]) AS g (id, symbol, name, image, rank)
     ), held AS (
       SELECT market_cap_rank FROM market_coins WHERE source = $1 ${IN_ORDER}
     ), before AS (
       SELECT count(market_cap_rank) AS listed FROM held
     ), gone AS (
       UPDATE market_coins c SET market_cap_rank = NULL FROM before
       WHERE c.source = $1 AND c.market_cap_rank IS NOT NULL AND c.id NOT IN (SELECT id FROM given)
         AND (SELECT count(*) FROM given) >= before.listed * (1 - $8::float8)
     )
     INSERT INTO market_coins AS c (source, id, symbol, name, image, market_cap_rank, listed_at)
     SELECT $1, id, symbol, name, image, rank, $2 FROM given CROSS JOIN before ORDER BY id
     ON CONFLICT (source, id) DO UPDATE SET symbol = excluded.symbol, name = excluded.name,
       image = coalesce(excluded.image, c.image), market_cap_rank = excluded.market_cap_rank, listed_at = excluded.listed_at`,
    [source, now, ...columns, CREDIBLE_LOSS],
  )
}

/** Every coin that the source has ever listed, ranked ones first. */
async function readCoins(
  pool: Pool,
  source: MarketSource,
): Promise<{ readonly all: readonly KnownCoin[]; readonly byId: ReadonlyMap<string, KnownCoin> }> {
  const { rows } = await pool.query<KnownCoin>(
    `SELECT key, id, symbol, name, image, market_cap_rank FROM market_coins
     WHERE source = $1 ORDER BY market_cap_rank NULLS LAST, id`,
    [source],
  )
  const all = rows.filter(({ id }) => COIN_ID_PATTERN.test(id))
  return { all, byId: new Map(all.map((coin) => [coin.id, coin])) }
}

/** When the source's list was last fetched, milliseconds; null: never. */
async function lastListedAt(pool: Pool, source: MarketSource, now: number): Promise<number | null> {
  const { rows } = await pool.query<{ at: number | null }>(
    'SELECT max(listed_at)::float8 AS at FROM market_coins WHERE source = $1 AND listed_at <= $2',
    [source, now + AHEAD],
  )
  return rows[0]?.at ?? null
}
