import type { Pool } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import { DAY } from '../../../../src/domain/granularity'
import { IN_ORDER } from '../coin-list'
import { AHEAD } from './stored-prices'

/* Coins that widgets have are held; coins whose prices were merely asked for of late are asked for. */

/** Coins that are polled: more than the list has. */
const MAX_HELD = 600
/** How long a coin that is in no widget goes on being polled after somebody asked for it, milliseconds. */
const INTEREST = DAY

/*
 * Of each coin the oldest pair that a widget stands for, by looks into indexes: mostly the coin's first pair, however many
 * pairs and widgets there are. A pair has its number from its first widget, so coins that have long been held come first,
 * and a crowd of new ones behind them.
 */
const HELD = `
SELECT c.id FROM market_coins c CROSS JOIN LATERAL (
  SELECT min(leg.pair) AS since FROM (
    (SELECT p.id AS pair FROM pairs p CROSS JOIN LATERAL (SELECT FROM widgets w WHERE w.pair_id = p.id LIMIT 1) used
     WHERE p.coin_a_id = c.id ORDER BY p.id LIMIT 1)
    UNION ALL
    (SELECT p.id FROM pairs p CROSS JOIN LATERAL (SELECT FROM widgets w WHERE w.pair_id = p.id LIMIT 1) used
     WHERE p.coin_b_id = c.id ORDER BY p.id LIMIT 1)
  ) leg
) held
WHERE c.source = $1 AND held.since IS NOT NULL ORDER BY held.since, c.id LIMIT $2`

/** Ids of the held coins, those that have been held longest first. */
export async function heldCoins(pool: Pool, source: MarketSource): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(HELD, [source, MAX_HELD])
  return rows.map(({ id }) => id)
}

/** Those of these ids that a widget has at this moment. */
export async function heldAmong(pool: Pool, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await pool.query<{ id: string }>(
    `SELECT given.id FROM unnest($1::text[]) AS given (id)
     WHERE EXISTS (SELECT FROM pairs p WHERE p.coin_a_id = given.id AND EXISTS (SELECT FROM widgets w WHERE w.pair_id = p.id))
        OR EXISTS (SELECT FROM pairs p WHERE p.coin_b_id = given.id AND EXISTS (SELECT FROM widgets w WHERE w.pair_id = p.id))`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Ids of coins that were asked for of late and are not held, those whose price is oldest first. */
export async function askedCoins(
  pool: Pool,
  source: MarketSource,
  held: readonly string[],
  now: number,
  most: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT c.id FROM market_coins c LEFT JOIN market_prices p ON p.coin_key = c.key
     WHERE c.source = $1 AND c.asked_at > $2 AND c.asked_at <= $3 AND c.id <> ALL ($4::text[])
     ORDER BY p.seen_at NULLS FIRST, c.id LIMIT $5`,
    [source, now - INTEREST, now + AHEAD, held, most],
  )
  return rows.map(({ id }) => id)
}

/** Ids of watched coins, those that widgets hold first. */
export async function idsOfWatched(pool: Pool, source: MarketSource, now: number): Promise<readonly string[]> {
  const held = await heldCoins(pool, source)
  return [...held, ...(await askedCoins(pool, source, held, now, MAX_HELD - held.length))]
}

/** True if a coin is watched: no price is fetched for nobody. By one look into each of two indexes. */
export async function isAnyWatched(pool: Pool, source: MarketSource, now: number): Promise<boolean> {
  const { rows } = await pool.query<{ watched: boolean }>(
    `SELECT EXISTS (SELECT FROM widgets)
       OR EXISTS (SELECT FROM market_coins WHERE source = $1 AND asked_at > $2 AND asked_at <= $3) AS watched`,
    [source, now - INTEREST, now + AHEAD],
  )
  return rows[0]!.watched
}

/** Those of these coins in which somebody's interest is noted already. */
export async function notedAmong(pool: Pool, coinKeys: readonly number[], now: number): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ key: number }>(
    'SELECT key FROM market_coins WHERE key = ANY ($1::int[]) AND asked_at > $2 AND asked_at <= $3',
    [coinKeys, now - INTEREST, now + AHEAD],
  )
  return new Set(rows.map(({ key }) => key))
}

/** Remembers that clients asked for the prices of these coins. */
export async function noteAsked(pool: Pool, coinKeys: readonly number[], now: number): Promise<void> {
  await pool.query(
    `UPDATE market_coins c SET asked_at = $2
     FROM (SELECT key FROM market_coins WHERE key = ANY ($1::int[]) ${IN_ORDER}) held WHERE c.key = held.key`,
    [coinKeys, now],
  )
}
