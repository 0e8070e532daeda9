import type { Pool } from 'pg'
import type { ListedCoin } from '../../adapters/market-data/provider'
import type { MarketSource } from '../../../src/contract/market'

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
export async function lastListedAt(pool: Pool, source: MarketSource): Promise<number | null> {
  const { rows } = await pool.query<{ at: number | null }>(
    'SELECT max(listed_at)::float8 AS at FROM market_coins WHERE source = $1',
    [source],
  )
  return rows[0]?.at ?? null
}

/** Remembers that clients asked for the prices of these coins. */
export async function noteAsked(pool: Pool, coinKeys: readonly number[], now: number): Promise<void> {
  await pool.query('UPDATE market_coins SET asked_at = $2 WHERE key = ANY ($1::int[])', [coinKeys, now])
}

/** How long a coin that is in no widget goes on being polled after somebody asked for it, milliseconds. */
const INTEREST = 24 * 3_600_000

/** Ids of the coins that matter: those in widgets, then those asked for of late, newest first. */
export async function watchedCoins(pool: Pool, source: MarketSource, now: number, most: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH held AS (SELECT coin_a_id AS id FROM widgets UNION SELECT coin_b_id FROM widgets)
     SELECT c.id FROM market_coins c LEFT JOIN held ON held.id = c.id
     WHERE c.source = $1 AND (held.id IS NOT NULL OR c.asked_at > $2)
     ORDER BY held.id IS NULL, c.asked_at DESC NULLS LAST, c.id LIMIT $3`,
    [source, now - INTEREST, most],
  )
  return rows.map((row) => row.id)
}
