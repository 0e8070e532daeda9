import { asc, eq, sql, type SQL } from 'drizzle-orm'
import { isActiveAt } from '../../../src/domain/layout-order'
import type { Queryable } from '../../db/open'
import { widgets } from '../../db/schema/widgets'

type Held = Pick<typeof widgets.$inferSelect, 'id' | 'display_order' | 'is_active'>

/** Holds widgets in the order in which everybody who needs several at once does: crossings disarm them meanwhile. */
export const holdWidgets = (tx: Queryable, which: SQL | undefined): Promise<Held[]> =>
  tx
    .select({
      id: widgets.id,
      display_order: widgets.display_order,
      is_active: widgets.is_active,
    })
    .from(widgets)
    .where(which)
    .orderBy(asc(widgets.id))
    .for('update')

/** An owner's widgets in their places, held. */
export async function holdLayout(tx: Queryable, owner: string): Promise<Held[]> {
  const held = await holdWidgets(tx, eq(widgets.owner_id, owner))
  return held.toSorted((a, b) => a.display_order - b.display_order)
}

/**
 * Writes the places of an owner's widgets, which are held: `ids` are all of them, in their order. Places have no holes,
 * and the first `maxWidgets` are active.
 */
export async function arrange(tx: Queryable, ids: readonly string[], maxWidgets: number): Promise<void> {
  if (ids.length === 0) return
  const active = ids.map((_, index) => isActiveAt(index, maxWidgets))
  await tx.execute(sql`
    UPDATE ${widgets} SET display_order = wanted.place - 1, is_active = wanted.active
    FROM unnest(${sql.param(ids)}::uuid[], ${sql.param(active)}::boolean[]) WITH ORDINALITY AS wanted (id, active, place)
    WHERE ${widgets.id} = wanted.id
      AND (${widgets.display_order} <> wanted.place - 1 OR ${widgets.is_active} <> wanted.active)`)
}
