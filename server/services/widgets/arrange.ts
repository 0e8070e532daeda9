import { sql } from 'drizzle-orm'
import { isActiveAt } from '../../../src/domain/layout-order'
import type { Queryable } from '../../db/open'
import { widgets } from '../../db/schema/widgets'

/**
 * Writes the places of an owner's widgets: `ids` are all of them, in their order. Places have no holes, and the first
 * `maxWidgets` are active.
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
