import type { PoolClient } from 'pg'

const HOLD = `
SELECT b.pair_id, b.measure FROM rule_bounds b JOIN unnest($1::int[], $2::text[]) AS given (pair_id, measure) USING (pair_id, measure)
ORDER BY b.pair_id, b.measure FOR UPDATE OF b SKIP LOCKED`

const NARROW = `
UPDATE rule_bounds b SET
  above = (SELECT r.above FROM alert_rules r WHERE r.pair_id = b.pair_id AND r.measure = b.measure AND r.watched
    AND r.above IS NOT NULL ORDER BY r.above LIMIT 1),
  below = (SELECT r.below FROM alert_rules r WHERE r.pair_id = b.pair_id AND r.measure = b.measure AND r.watched
    AND r.below IS NOT NULL ORDER BY r.below DESC LIMIT 1)
FROM unnest($1::int[], $2::text[]) AS given (pair_id, measure) WHERE b.pair_id = given.pair_id AND b.measure = given.measure`

interface OfPair {
  readonly pair_id: number
  readonly measure: string
}
const columnsOf = (bounds: readonly OfPair[]) => [
  bounds.map(({ pair_id }) => pair_id),
  bounds.map(({ measure }) => measure),
]

/**
 * Narrows bounds to the rules that are there, as part of a transaction. They are held first, by a statement of its own: the next
 * one then sees the rules of all who held them before, and those who write one now wait. Held ones are left to the next update.
 */
export async function narrowBounds(client: Pick<PoolClient, 'query'>, bounds: readonly OfPair[]): Promise<void> {
  if (bounds.length === 0) return
  const { rows } = await client.query<OfPair>(HOLD, columnsOf(bounds))
  if (rows.length > 0) await client.query(NARROW, columnsOf(rows))
}
