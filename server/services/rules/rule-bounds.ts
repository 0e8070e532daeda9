import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/open'
import type { StoredRule } from './stored-rule'

type Turning = Pick<StoredRule, 'pair_id' | 'measure' | 'above' | 'below'>

/*
 * Locked in one order, also where there is nothing to widen: a transaction that narrows them waits, or finds what was written. Then
 * they stay as they are, and so does what processes have kept of them.
 */
export const WIDEN = `
  ON CONFLICT (pair_id, measure) DO UPDATE SET above = least(b.above, excluded.above), below = greatest(b.below, excluded.below)
  WHERE (least(b.above, excluded.above), greatest(b.below, excluded.below)) IS DISTINCT FROM (b.above, b.below)`

/** Part of the transaction that has written these rules. */
export async function widenBounds(tx: Queryable, rules: readonly Turning[]): Promise<void> {
  if (rules.length === 0) return
  const column = <K extends keyof Turning>(name: K) => sql.param(rules.map((rule) => rule[name]))
  await tx.execute(sql`
    INSERT INTO rule_bounds AS b (pair_id, measure, above, below)
    SELECT pair_id, measure, min(above), max(below)
    FROM unnest(${column('pair_id')}::int[], ${column('measure')}::text[], ${column('above')}::float8[], ${column('below')}::float8[])
      AS rule (pair_id, measure, above, below)
    GROUP BY pair_id, measure ORDER BY pair_id, measure${sql.raw(WIDEN)}`)
}

/**
 * For a statement that switches widgets: their bounds, held in the one order of all transactions, before a trigger widens those of
 * one widget after the other. `areBoundsHeld` is true once they are.
 * @param ofWidgets condition of the rules `r`
 */
export const heldBounds = (ofWidgets: SQL): SQL => sql`held_bounds AS MATERIALIZED (
  SELECT b.pair_id FROM rule_bounds b
  WHERE (b.pair_id, b.measure) IN (SELECT r.pair_id, r.measure FROM alert_rules r WHERE r.measure IS NOT NULL AND ${ofWidgets})
  ORDER BY b.pair_id, b.measure FOR UPDATE OF b
)`
export const areBoundsHeld = sql`(SELECT count(*) FROM held_bounds) >= 0`
