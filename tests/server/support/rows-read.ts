import type { Pool } from 'pg'
import { inTransaction } from '../../../server/db/open'
import { sentDuring } from './sent-statements'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Rows that a plan has fetched from tables and indexes, those that a filter has dropped among them. */
const rowsOf = (node: PlanNode): number =>
  (node['Relation Name'] === undefined
    ? 0
    : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']) +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

/** How many rows each statement looks at that `work` reads by. Tables are small here: an index is taken wherever one serves. */
export async function rowsRead(pool: Pool, work: () => Promise<unknown>): Promise<number[]> {
  const { statements } = await sentDuring(pool, work)
  const read: number[] = []
  for (const { text, values } of statements) {
    if (!/^\s*(select|with)\b/i.test(text)) continue
    await inTransaction(pool, async (client) => {
      await client.query('SET LOCAL enable_seqscan = off')
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
      read.push(rowsOf(rows[0]['QUERY PLAN'][0].Plan))
    })
  }
  return read
}
