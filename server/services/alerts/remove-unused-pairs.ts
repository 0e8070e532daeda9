import type { Database } from '../../db/open'
import { inTransaction } from '../../db/transaction'

/** Pairs looked at in one transaction. */
const AT_ONCE = 1_000

/**
 * Removes the pairs that no widget stands for. The rows are held first and looked at once more then: a widget that comes
 * meanwhile waits for them, or has come and keeps its pair.
 * @returns how many were removed
 */
export async function removeUnusedPairs({ pool }: Database, signal: AbortSignal, atOnce = AT_ONCE): Promise<number> {
  let removed = 0
  for (let after: number | null = 0; after !== null && !signal.aborted;) {
    const from: number = after
    after = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: number }>(
        `SELECT id FROM pairs p WHERE id > $1 AND NOT EXISTS (SELECT FROM widgets w WHERE w.pair_id = p.id)
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [from, atOnce],
      )
      const ids = rows.map(({ id }) => id)
      const { rowCount } = await client.query(
        'DELETE FROM pairs p WHERE id = ANY ($1::int[]) AND NOT EXISTS (SELECT FROM widgets w WHERE w.pair_id = p.id)',
        [ids],
      )
      removed += rowCount ?? 0
      return ids.at(-1) ?? null
    })
  }
  return removed
}
