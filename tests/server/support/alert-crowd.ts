import type { Pool } from 'pg'

/** Coins of the market that crowds are made for. */
const COINS = 400
/** Widgets of one owner, each of another fifth of the pairs. */
const EACH = 5
/** Rows of one statement, which has a time limit. */
const INSERT_BATCH = 50_000

export interface Crowd {
  readonly widgets: number
  readonly pairs: number
  /** Milliseconds: as of when the prices are. */
  readonly now: number
}

/** SQL of a number from 0 (inclusive) to 1 that belongs to an integer: every crowd of a size is the same on any engine. */
const chance = (integer: string): string => `((hashint4(${integer}) & 1048575) / 1048576.0)`

/**
 * Fills an empty database with owners of five widgets each, all watched, with both sides armed around the ratio that is
 * now; few pairs have many widgets and many have few.
 */
export async function seedCrowd(pool: Pool, { widgets, pairs, now }: Crowd): Promise<void> {
  await pool.query(
    `INSERT INTO market_coins (source, id, symbol, name, listed_at)
     SELECT 'simulated', 'c' || i, 'c' || i, 'c' || i, 0 FROM generate_series(1, $1::int) i`,
    [COINS],
  )
  await pool.query(
    `INSERT INTO market_prices (coin_key, usd, at, seen_at)
     SELECT key, exp(10 * (hashint4(key) & 65535) / 65536.0 - 3), $1, $1 FROM market_coins`,
    [now],
  )
  await pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id)
     SELECT 'c' || a, 'c' || b FROM generate_series(1, $1::int) a, generate_series(1, $1) b
     WHERE a <> b ORDER BY hashint4(a * 1000 + b) LIMIT $2`,
    [COINS, pairs],
  )
  const owners = Math.ceil(widgets / EACH)
  await pool.query(
    `INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', i::text, now() FROM generate_series(1, $1::int) i`,
    [owners],
  )
  for (let from = 0; from < owners; from += INSERT_BATCH / EACH) {
    await pool.query(
      `WITH chosen AS (
         SELECT id, anonymous_hash::int AS n FROM owners
         WHERE anonymous_hash = ANY (ARRAY (SELECT i::text FROM generate_series($1::int + 1, least($1 + $2::int, $3::int)) i))
       ), wanted AS (
         SELECT chosen.id AS owner_id, slot,
           1 + slot * ($4::int / 5) + floor(power(${chance('place')}, 2) * ($4 / 5))::int AS pair_id,
           ${chance('-place')} AS h, ${chance('place # 1431655765')} AS l
         FROM chosen, generate_series(0, 4) slot, LATERAL (SELECT n * 5 + slot AS place) numbered
       )
       INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold,
         notifications_enabled, is_active, created_at)
       SELECT w.owner_id, w.slot, p.coin_a_id, p.coin_b_id, p.id, r.ratio * exp(w.h * 0.5), r.ratio * exp(-w.l * 0.5),
         true, true, now()
       FROM wanted w JOIN pairs p ON p.id = w.pair_id
       JOIN (SELECT p.id, a.usd / b.usd AS ratio FROM pairs p
         JOIN market_coins ca ON ca.id = p.coin_a_id JOIN market_prices a ON a.coin_key = ca.key
         JOIN market_coins cb ON cb.id = p.coin_b_id JOIN market_prices b ON b.coin_key = cb.key) r ON r.id = p.id`,
      [from, INSERT_BATCH / EACH, owners, pairs],
    )
  }
  await pool.query('VACUUM (ANALYZE)')
}

/** Lets every price wander by about this share. */
export async function movePrices(pool: Pool, share: number): Promise<void> {
  await pool.query(
    `UPDATE market_prices SET usd = usd * exp((random() + random() + random() + random() - 2) * $1::float8 / 0.577)`,
    [share],
  )
}

export const crowdCoins = (): readonly string[] => Array.from({ length: COINS }, (_, i) => `c${i + 1}`)

/** A judging statement without pairs and indexes: it looks at each widget and records nothing. */
export const FULL_SCAN = `
WITH changed AS (
  UPDATE widgets w SET
    high_threshold_active = COALESCE(w.high_threshold >= a.usd / b.usd, w.high_threshold_active),
    low_threshold_active = COALESCE(w.low_threshold <= a.usd / b.usd, w.low_threshold_active),
    high_epoch = w.high_epoch + CASE WHEN NOT w.high_threshold_active AND w.high_threshold >= a.usd / b.usd THEN 1 ELSE 0 END,
    low_epoch = w.low_epoch + CASE WHEN NOT w.low_threshold_active AND w.low_threshold <= a.usd / b.usd THEN 1 ELSE 0 END
  FROM market_coins ca, market_prices a, market_coins cb, market_prices b
  WHERE ca.id = w.coin_a_id AND a.coin_key = ca.key AND cb.id = w.coin_b_id AND b.coin_key = cb.key
    AND w.is_active AND w.notifications_enabled
    AND (COALESCE(w.high_threshold >= a.usd / b.usd, w.high_threshold_active) <> w.high_threshold_active
      OR COALESCE(w.low_threshold <= a.usd / b.usd, w.low_threshold_active) <> w.low_threshold_active)
  RETURNING w.id, w.high_threshold_active, w.low_threshold_active
)
SELECT count(*)::int AS changed FROM changed`
