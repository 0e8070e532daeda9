import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { owners } from '../../db/schema/owners'
import { WITHOUT_TIME_LIMITS } from '../../db/transaction'
import { users } from '../../db/schema/users'
import { widgets } from '../../db/schema/widgets'
import type { Env } from '../../env'
import { tiersOf } from '../limits'
import { holdWidgets } from './arrange'

/** Brings activity into line with limits that were configured differently when the server last ran. */
export async function applyLimits({ orm }: Database, env: Env): Promise<void> {
  const { free, premium } = tiersOf(env)
  const limits = orm
    .select({
      owner: owners.id,
      most: sql<number>`CASE WHEN ${users.has_premium_access} THEN ${premium.max_widgets}::int ELSE ${free.max_widgets}::int END`.as('most'), // prettier-ignore
    })
    .from(owners)
    .leftJoin(users, eq(users.id, owners.id))
    .as('limits')
  const active = sql`${widgets.display_order} < ${limits.most}`
  const wrong = sql`${eq(limits.owner, widgets.owner_id)} AND ${widgets.is_active} <> (${active})`
  await orm.transaction(async (tx) => {
    await tx.execute(sql.raw(WITHOUT_TIME_LIMITS))
    // Like any change of an owner's things in the owner's turn: another process may be serving them.
    const concerned = tx.select({ id: widgets.owner_id }).from(widgets).innerJoin(limits, wrong)
    await tx.select({ id: owners.id }).from(owners).where(inArray(owners.id, concerned)).orderBy(asc(owners.id)).for('no key update') // prettier-ignore
    await holdWidgets(tx, inArray(widgets.id, tx.select({ id: widgets.id }).from(widgets).innerJoin(limits, wrong)))
    await tx.update(widgets).set({ is_active: active }).from(limits).where(wrong)
  })
}
