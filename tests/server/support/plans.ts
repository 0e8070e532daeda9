import type { PoolClient } from 'pg'
import type { Statement } from './sent-statements'

/** A node of EXPLAIN's JSON. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** A whole table, or a whole index of one, that a statement reads. */
interface Scan {
  readonly table: string
  readonly node: string
  readonly statement: string
}

const HAS_PLAN = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i
const IS_SETTING = /^\s*SET\b/i

/**
 * The scans that statements would make with the values that they were sent with, under the settings that they were sent under.
 * Nothing is executed.
 */
export async function scansOf(client: PoolClient, statements: readonly Statement[]): Promise<Scan[]> {
  const scans: Scan[] = []
  await client.query('BEGIN')
  for (const { text, values } of statements) {
    if (IS_SETTING.test(text)) await client.query(text)
    if (!HAS_PLAN.test(text)) continue
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      [...values],
    )
    scans.push(...scansIn(rows[0]!['QUERY PLAN'][0]!.Plan, text))
  }
  await client.query('ROLLBACK')
  return scans
}

const IS_INDEX_SCAN = /^(Index|Index Only|Bitmap Index) Scan$/

function scansIn(node: PlanNode, statement: string, above?: PlanNode): Scan[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = '', Plans = [] } = node
  // An index that is read in its order and left after the first rows is not read as a whole.
  const isWholeIndex = IS_INDEX_SCAN.test(type) && node['Index Cond'] === undefined && above?.['Node Type'] !== 'Limit'
  const own = type === 'Seq Scan' || isWholeIndex ? [{ table: table ?? index, node: type, statement }] : []
  return [...own, ...Plans.flatMap((below) => scansIn(below, statement, node))]
}
