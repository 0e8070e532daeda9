import { isDeepStrictEqual } from 'node:util'
import type { Pool, PoolClient } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import { isFreshForAlerts } from '../../../../src/domain/alerts'
import { type Exchange, isExchange } from '../../../../src/domain/exchanges'
import { MINUTE } from '../../../../src/domain/granularity'
import type { SpotPrice } from '../../../adapters/market-data/provider'
import { shareReads } from '../../../waits'
import { UNIT } from '../history/points'

/**
 * How far ahead of this process's clock a time may lie that another process stored, milliseconds. One that lies farther
 * ahead than it can was stored while a clock was wrong, and is not believed.
 */
export const AHEAD = MINUTE

export interface ServedPrice extends SpotPrice {
  /** Milliseconds: when this server last had the price from the provider. It only moves forward, in the order of storing. */
  readonly fetchedAt: number
}

export interface StoredPrice extends ServedPrice {
  /** The exchange whose ticker gave the price; null: the provider did. */
  readonly via: Exchange | null
}

/** When the newest of these prices was stored, milliseconds: prices that were read later have no earlier time. */
export const asOf = (prices: Iterable<ServedPrice>): number =>
  [...prices].reduce((newest, { fetchedAt }) => Math.max(newest, fetchedAt), -Infinity)

/** How far an exchange's price may lie from the provider's, as a share of the provider's price (decision 0134). */
export const EXCHANGE_TOLERANCE = 0.03
/** An exchange that has given no price of a coin for so long counts as silent: the provider's price is used. Milliseconds. */
export const EXCHANGE_SILENCE = MINUTE
/** An exchange's price is a sample of history once in each of these spans, which lie on multiples of it. Milliseconds. */
const EXCHANGE_SAMPLE = 30_000

/*
 * True if the price `given` replaces the stored one, `p`. Newer ones do. The provider's price leaves that of an exchange
 * which is not silent, so that the ratio does not jump between the two sources; it replaces a price that is too far from it
 * at any age, since the exchange is then not believed, and where the process that listens has said so.
 */
const replaces = (given: string): string => `(p.at > $5::bigint + $6::int OR CASE
  WHEN ${given}.via IS NOT NULL OR p.via IS NULL THEN ${given}.at >= p.at
  WHEN (SELECT g.overrules FROM given g WHERE g.key = p.coin_key) THEN true
  WHEN abs(p.usd::numeric - ${given}.usd::numeric) > ${given}.usd::numeric * ${EXCHANGE_TOLERANCE} THEN true
  ELSE ${given}.at >= p.at AND p.seen_at <= $5::bigint - ${EXCHANGE_SILENCE} END)`

/**
 * Stores what a source said, and with `history` adds each price that is new to its five-minute bucket's mean. A price
 * that is older than the one there changes nothing; a coin that is not named keeps what is known. Rows are taken in order,
 * since two processes may store prices of the same coins at once.
 */
export async function savePrices(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  prices: ReadonlyMap<string, SpotPrice>,
  now: number,
  { history }: { history: boolean },
): Promise<void> {
  if (prices.size === 0) return
  await client.query(
    `WITH given AS (
       SELECT c.key, g.usd, g.at, g.via, g.overrules
       FROM unnest($2::text[], $3::float8[], $4::bigint[], $9::text[], $10::bool[]) AS g (id, usd, at, via, overrules)
       JOIN market_coins c ON c.source = $1 AND c.id = g.id
     ), news AS (
       SELECT given.* FROM given LEFT JOIN market_prices p ON p.coin_key = given.key
       WHERE p.at IS NULL OR (${replaces('given')} AND p.at <> given.at
         AND (given.via IS NULL OR p.at / ${EXCHANGE_SAMPLE} <> given.at / ${EXCHANGE_SAMPLE}))
     ), latest AS (
       INSERT INTO market_prices AS p (coin_key, usd, at, seen_at, via) SELECT key, usd, at, $5, via FROM given ORDER BY key
       ON CONFLICT (coin_key) DO UPDATE
         SET usd = excluded.usd, at = excluded.at, seen_at = excluded.seen_at, via = excluded.via
         WHERE ${replaces('excluded')}
     )
     INSERT INTO market_points AS p (coin_key, level, bucket, usd, samples)
     SELECT key, 0, at / $7::int, usd, 1 FROM news WHERE $8 ORDER BY key
     ON CONFLICT (coin_key, level, bucket) DO UPDATE
       SET usd = p.usd + (excluded.usd - p.usd) / (p.samples + 1), samples = p.samples + 1`,
    [
      source,
      [...prices.keys()],
      Array.from(prices.values(), (price) => price.usd),
      Array.from(prices.values(), (price) => Math.trunc(price.providerTime)),
      now,
      AHEAD,
      UNIT,
      history,
      Array.from(prices.values(), (price) => price.via ?? null),
      Array.from(prices.values(), (price) => price.overrules ?? false),
    ],
  )
}

/** The latest price of every coin of a source, by coin id. */
export async function readStoredPrices(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
): Promise<ReadonlyMap<string, StoredPrice>> {
  const { rows } = await client.query<PriceRow>(
    `SELECT c.id, p.usd, p.at::float8 AS provider_time, p.seen_at::float8 AS fetched_at, p.via FROM market_prices p
     JOIN market_coins c ON c.key = p.coin_key WHERE c.source = $1`,
    [source],
  )
  return new Map(
    rows.map(({ id, usd, provider_time, fetched_at, via }) => [
      id,
      { usd, providerTime: provider_time, fetchedAt: fetched_at, via: isExchange(via) ? via : null },
    ]),
  )
}

interface PriceRow {
  readonly id: string
  readonly usd: number
  readonly provider_time: number
  readonly fetched_at: number
  readonly via: string | null
}

/** A coin's price; null: it is not known, or not new enough to judge alerts by. */
export function freshPrice(prices: ReadonlyMap<string, StoredPrice>, coin: string, now: number): StoredPrice | null {
  const price = prices.get(coin)
  if (price === undefined) return null
  return isFreshForAlerts(price.providerTime, now) && isFreshForAlerts(price.fetchedAt, now) ? price : null
}

/** Keys of the coins whose price is newer than `since`: what there is to fold. */
export async function movedSince(pool: Pool, source: MarketSource, since: number): Promise<number[]> {
  const { rows } = await pool.query<{ key: number }>(
    'SELECT c.key FROM market_prices p JOIN market_coins c ON c.key = p.coin_key WHERE c.source = $1 AND p.at >= $2',
    [source, since],
  )
  return rows.map((row) => row.key)
}

/** How long this process trusts what it read, since another may be the one that polls. Milliseconds. */
const PRICES_TRUST_MS = 1_000

export type LatestPrices = ReturnType<typeof latestPrices>

/**
 * The latest prices by coin id, read once for all who ask within a second; `forget` after prices were stored. As long as no
 * price was stored, each read gives the same map, so that callers can keep what they derive from a map by its identity.
 */
export function latestPrices(pool: Pool, source: MarketSource, clock: () => number) {
  let known: ReadonlyMap<string, StoredPrice> = new Map()
  async function read(): Promise<ReadonlyMap<string, StoredPrice>> {
    const stored = await readStoredPrices(pool, source)
    if (!isDeepStrictEqual(stored, known)) known = stored
    return known
  }
  const { get: all, forget } = shareReads(read, PRICES_TRUST_MS, clock)
  return { all, forget }
}

/** An exchange counts as in use as long as some price of it is no older, so that a short break does not change what the app says. */
const IN_USE_MS = 5 * MINUTE

/** The exchange that gave the newest of these prices that an exchange gave of late; null: none did. */
export function exchangeInUse(prices: ReadonlyMap<string, StoredPrice>, now: number): Exchange | null {
  let newest: StoredPrice | null = null
  for (const price of prices.values()) {
    if (price.via === null || Math.abs(now - price.fetchedAt) > IN_USE_MS) continue
    if (newest === null || price.fetchedAt > newest.fetchedAt) newest = price
  }
  return newest?.via ?? null
}

const NEWEST = `
SELECT max(p.seen_at)::float8 AS at FROM market_prices p JOIN market_coins c ON c.key = p.coin_key WHERE c.source = $1`

/** When the newest price of the source was fetched; null: there is none. */
export async function newestPriceAt(pool: Pool, source: MarketSource): Promise<number | null> {
  const { rows } = await pool.query<{ at: number | null }>(NEWEST, [source])
  return rows[0]?.at ?? null
}
