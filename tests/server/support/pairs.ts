import type { TestDatabase } from './test-database'

/** Gives each of these pairs a widget of a guest of its own, which watches nothing. */
export async function addPairs(
  { pool }: Pick<TestDatabase, 'pool'>,
  pairs: readonly (readonly [coinA: string, coinB: string])[],
): Promise<void> {
  await pool.query(
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (a, b, place)
     ), owner AS (
       INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', gen_random_uuid()::text || a || b, now() FROM given RETURNING id, anonymous_hash
     ), pair AS (
       INSERT INTO pairs (coin_a_id, coin_b_id) SELECT a, b FROM given ORDER BY place
       ON CONFLICT ON CONSTRAINT pairs_coins DO UPDATE SET coin_a_id = excluded.coin_a_id RETURNING *
     )
     INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, notifications_enabled, is_active, created_at)
     SELECT owner.id, 0, pair.coin_a_id, pair.coin_b_id, pair.id, false, true, now()
     FROM pair JOIN owner ON owner.anonymous_hash LIKE '%' || pair.coin_a_id || pair.coin_b_id`,
    [pairs.map(([a]) => a), pairs.map(([, b]) => b)],
  )
}
