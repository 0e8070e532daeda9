import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { owners } from '../../db/schema/owners'
import { widgets } from '../../db/schema/widgets'
import type { Env } from '../../env'

/** Brings activity into line with limits that were configured differently when the server last ran. */
export async function applyLimits({ orm }: Database, { FREE_MAX_WIDGETS }: Env): Promise<void> {
  const active = sql`${widgets.display_order} < ${FREE_MAX_WIDGETS}`
  await orm
    .update(widgets)
    .set({ is_active: active })
    .from(owners)
    .where(sql`${eq(owners.id, widgets.owner_id)} AND ${owners.kind} = 'guest' AND ${widgets.is_active} <> (${active})`)
}
