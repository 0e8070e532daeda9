import type { Pool } from 'pg'
import type { ListedCoin } from '../../adapters/market-data/provider'
import type { MarketSource } from '../../../src/contract/market'
import { AHEAD } from './ahead'

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

/** A list that has lost more than this part of its coins was cut off rather than changed. */
const CREDIBLE_LOSS = 0.2

/**
 * Takes over a list. Coins that it no longer has lose their rank, unless so many are missing that the list cannot be
 * whole; nothing is forgotten.
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
     ), before AS (
       SELECT count(*) AS listed FROM market_coins WHERE source = $1 AND market_cap_rank IS NOT NULL
     ), gone AS (
       UPDATE market_coins c SET market_cap_rank = NULL FROM before
       WHERE c.source = $1 AND c.market_cap_rank IS NOT NULL AND c.id NOT IN (SELECT id FROM given)
         AND (SELECT count(*) FROM given) >= before.listed * (1 - $8::float8)
     )
     INSERT INTO market_coins AS c (source, id, symbol, name, image, market_cap_rank, listed_at)
     SELECT $1, id, symbol, name, image, rank, $2 FROM given
     ON CONFLICT (source, id) DO UPDATE SET symbol = excluded.symbol, name = excluded.name, image = excluded.image,
       market_cap_rank = excluded.market_cap_rank, listed_at = excluded.listed_at`,
    [source, now, ...columns, CREDIBLE_LOSS],
  )
}

/** Every coin that the source has ever listed, ranked ones first. */
export async function readCoins(pool: Pool, source: MarketSource): Promise<readonly KnownCoin[]> {
  const { rows } = await pool.query<KnownCoin>(
    `SELECT key, id, symbol, name, image, market_cap_rank FROM market_coins
     WHERE source = $1 ORDER BY market_cap_rank NULLS LAST, id`,
    [source],
  )
  return rows
}

/** When the source's list was last fetched, milliseconds; null: never. */
export async function lastListedAt(pool: Pool, source: MarketSource, now: number): Promise<number | null> {
  const { rows } = await pool.query<{ at: number | null }>(
    'SELECT max(listed_at)::float8 AS at FROM market_coins WHERE source = $1 AND listed_at <= $2',
    [source, now + AHEAD],
  )
  return rows[0]?.at ?? null
}
