import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { isActiveAt } from '../../../src/domain/layout-order'
import { type Database, type Queryable, WITHOUT_TIME_LIMITS } from '../../db/open'
import { owners, users } from '../../db/schema/users'
import { widgets } from '../../db/schema/widgets'
import type { Env } from '../../env'
import { tiersOf } from '../owners'

type Held = Pick<typeof widgets.$inferSelect, 'id' | 'display_order' | 'is_active'>

/** Locks widgets in the order of their ids, as every transaction that needs several at once (decision 0049). */
export const holdWidgets = (tx: Queryable, which: SQL | undefined): Promise<Held[]> =>
  tx
    .select({ id: widgets.id, display_order: widgets.display_order, is_active: widgets.is_active })
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

/** Brings activity into line with limits that were configured differently when the server last ran. */
export async function applyLimits({ orm }: Database, env: Env): Promise<void> {
  const { free, premium } = tiersOf(env)
  const limits = orm
    .select({
      owner: owners.id,
      most: sql<number>`CASE WHEN ${users.has_premium_access} THEN ${premium.max_widgets}::int ELSE ${free.max_widgets}::int END`.as(
        'most',
      ),
    })
    .from(owners)
    .leftJoin(users, eq(users.id, owners.id))
    .as('limits')
  const active = sql`${widgets.display_order} < ${limits.most}`
  const wrong = sql`${eq(limits.owner, widgets.owner_id)} AND ${widgets.is_active} <> (${active})`
  await orm.transaction(async (tx) => {
    await tx.execute(sql.raw(WITHOUT_TIME_LIMITS))
    // Owners first, then their widgets, as in any change (decision 0049): another process may be serving them.
    const concerned = tx.select({ id: widgets.owner_id }).from(widgets).innerJoin(limits, wrong)
    await tx
      .select({ id: owners.id })
      .from(owners)
      .where(inArray(owners.id, concerned))
      .orderBy(asc(owners.id))
      .for('no key update')
    await holdWidgets(tx, inArray(widgets.id, tx.select({ id: widgets.id }).from(widgets).innerJoin(limits, wrong)))
    await tx.update(widgets).set({ is_active: active }).from(limits).where(wrong)
  })
}
