import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { DAY, HOUR } from '../../../src/domain/granularity'
import { isActiveAt } from '../../../src/domain/layout-order'
import type { Database, Queryable } from '../../db/open'
import { WITHOUT_TIME_LIMITS } from '../../db/migrate'
import { owners, users } from '../../db/schema/users'
import { applied_limits, widgets } from '../../db/schema/widgets'
import type { Env } from '../../env'
import type { PeriodicJob } from '../../jobs/periodic'
import { tiersOf } from '../owners'
import { commitChange } from '../revisions'
import { areBoundsHeld, heldBounds } from '../rules/rule-bounds'
import type { ServiceDeps } from '../service-deps'

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
export async function arrange(tx: Queryable, owner: string, ids: readonly string[], maxWidgets: number): Promise<void> {
  if (ids.length === 0) return
  const active = ids.map((_, index) => isActiveAt(index, maxWidgets))
  await tx.execute(sql`
    WITH ${heldBounds(sql`r.widget_id = ANY (${sql.param(ids)}::uuid[]) AND r.owner_id = ${owner}`)}
    UPDATE ${widgets} SET display_order = wanted.place - 1, is_active = wanted.active
    FROM unnest(${sql.param(ids)}::uuid[], ${sql.param(active)}::boolean[]) WITH ORDINALITY AS wanted (id, active, place)
    WHERE ${areBoundsHeld} AND ${widgets.id} = wanted.id AND ${widgets.owner_id} = ${owner}
      AND (${widgets.display_order} <> wanted.place - 1 OR ${widgets.is_active} <> wanted.active)`)
}

/** Owners whose widgets one transaction brings into line. */
const OWNER_BATCH = 1_000

/** Milliseconds after a change of limits in which each start looks at all widgets: processes with the earlier ones may run on so long. */
const CHANGING = HOUR

/**
 * Brings activity into line with limits that were configured differently when a server last ran. With limits that have long been
 * applied it looks at no widget.
 */
export async function applyLimits(database: Database, env: Env, now = Date.now()): Promise<void> {
  const { orm } = database
  const limits = widgetLimits(env)
  const [applied] = await orm.select().from(applied_limits)
  const isApplied = applied?.free === limits.free && applied.premium === limits.premium
  if (isApplied && applied.since.getTime() < now - CHANGING) return
  await bringIntoLine(database, limits, now)
  if (isApplied) return
  const row = { ...limits, since: new Date(now) }
  await orm.insert(applied_limits).values(row).onConflictDoUpdate({ target: applied_limits.id, set: row })
}

/** Looks at all widgets once a day: a release that notes no limits may have applied others, of a configuration that came with it. */
export const limitsJob = ({ database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>): PeriodicJob => ({
  name: 'apply-limits',
  every: DAY,
  run: (signal) => bringIntoLine(database, widgetLimits(env), clock(), signal),
})

/** With activity as the limits have it, this reads the widgets once, and changes and locks nothing. */
async function bringIntoLine(
  database: Database,
  limits: WidgetLimits,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const concerned = await ownersBeside(database, limits)
  for (let from = 0; from < concerned.length; from += OWNER_BATCH) {
    if (signal?.aborted === true) return
    await applyTo(database, concerned.slice(from, from + OWNER_BATCH), limits, now)
  }
}

/** Most widgets of free owners, guests among them, and of owners with Premium. */
interface WidgetLimits {
  readonly free: number
  readonly premium: number
}

function widgetLimits(env: Env): WidgetLimits {
  const { free, premium } = tiersOf(env)
  return { free: free.max_widgets, premium: premium.max_widgets }
}

/** True if the limits let the widget `w` be active; `u` is the account of its owner, or no row for a guest. */
const mayBeActive = ({ free, premium }: WidgetLimits): SQL =>
  sql`(w.display_order < CASE WHEN u.has_premium_access THEN ${premium}::int ELSE ${free}::int END)`

/** Owners with a widget whose activity the limits contradict, in the order of their ids. */
async function ownersBeside({ orm }: Database, limits: WidgetLimits): Promise<string[]> {
  const fewest = Math.min(limits.free, limits.premium)
  const most = Math.max(limits.free, limits.premium)
  return orm.transaction(
    async (tx) => {
      await tx.execute(sql.raw(WITHOUT_TIME_LIMITS))
      // Places at which no tier is contradicted are left out first: only the others are looked up in accounts.
      const { rows } = await tx.execute<{ owner_id: string }>(sql`
        SELECT DISTINCT w.owner_id FROM ${widgets} w LEFT JOIN ${users} u ON u.id = w.owner_id
        WHERE CASE WHEN w.is_active THEN w.display_order >= ${fewest}::int ELSE w.display_order < ${most}::int END
          AND w.is_active <> ${mayBeActive(limits)}
        ORDER BY w.owner_id`)
      return rows.map(({ owner_id }) => owner_id)
    },
    { accessMode: 'read only' },
  )
}

async function applyTo(
  database: Database,
  concerned: readonly string[],
  limits: WidgetLimits,
  now: number,
): Promise<void> {
  await commitChange(database, now, async (tx) => {
    await tx.execute(sql.raw(WITHOUT_TIME_LIMITS))
    // Owners first, then their widgets, as in any change (decision 0049): another process may be serving them.
    const those = inArray(owners.id, [...concerned])
    await tx.select({ id: owners.id }).from(owners).where(those).orderBy(asc(owners.id)).for('no key update')
    await holdWidgets(tx, inArray(widgets.owner_id, [...concerned]))
    const { rows } = await tx.execute<{ owner_id: string }>(sql`
      WITH ${heldBounds(sql`r.widget_id IN (SELECT id FROM widgets WHERE owner_id = ANY (${sql.param([...concerned])}::uuid[]))`)}, changed AS (
        UPDATE ${widgets} w SET is_active = NOT w.is_active FROM ${owners} o LEFT JOIN ${users} u ON u.id = o.id
        WHERE ${areBoundsHeld} AND o.id = ANY (${sql.param([...concerned])}::uuid[]) AND w.owner_id = o.id AND w.is_active <> ${mayBeActive(limits)}
        RETURNING w.owner_id
      )
      SELECT DISTINCT owner_id FROM changed`)
    for (const { owner_id } of rows) tx.raise(owner_id, 'widgets')
  })
}
