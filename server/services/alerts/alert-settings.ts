import { and, asc, eq, gt, inArray, notExists } from 'drizzle-orm'
import type { AlertSettings, AlertSettingsBody } from '../../../src/contract/alerts'
import type { Queryable } from '../../db/open'
import {
  alert_events,
  alert_settings,
  pair_extremes,
  push_deliveries,
  push_subscriptions,
} from '../../db/schema/alerts'
import { alert_channels, channel_deliveries } from '../../db/schema/channels'
import { DAY } from '../../../src/domain/granularity'
import { quietUntil } from '../../../src/domain/quiet-hours'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import { type Caller, findOwner } from '../owners'
import type { ServiceDeps } from '../service-deps'

/** @throws ApiError TOKEN_EXPIRED when the user's session has ended */
export async function readAlertSettings(
  { database }: Pick<ServiceDeps, 'database'>,
  caller: Caller,
): Promise<AlertSettings> {
  const owner = await findOwner(database.orm, caller)
  return settingsOf(database.orm, owner?.id)
}

/** @param owner undefined: a guest who has changed nothing yet */
export async function settingsOf(db: Queryable, owner: string | undefined): Promise<AlertSettings> {
  const [row] =
    owner === undefined ? [] : await db.select().from(alert_settings).where(eq(alert_settings.owner_id, owner))
  return {
    extremes: row?.extremes ?? false,
    quiet_hours: row?.quiet_hours ?? null,
    paused_until: row?.paused_until?.toISOString() ?? null,
  }
}

/** A field that is absent stays. @throws ApiError IDEMPOTENCY_KEY_REUSED, TOKEN_EXPIRED when the user's session has ended */
export function saveAlertSettings(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  body: AlertSettingsBody,
): Promise<Changed<AlertSettings>> {
  return changeOnce(database, request, {
    forEver: false,
    // Other devices pull the settings with the widgets.
    raises: 'widgets',
    recall: (tx, owner) => settingsOf(tx, owner.id),
    make: async (tx, owner) => {
      const before = await settingsOf(tx, owner.id)
      const { extremes, quiet_hours = null, paused_until } = { ...before, ...body }
      if (extremes && !before.extremes) await forgetUnwatched(tx)
      const set = { extremes, quiet_hours, paused_until: paused_until == null ? null : new Date(paused_until) }
      await tx
        .insert(alert_settings)
        .values({ owner_id: owner.id, ...set })
        .onConflictDoUpdate({ target: alert_settings.owner_id, set })
      if (JSON.stringify(quiet_hours) !== JSON.stringify(before.quiet_hours ?? null)) {
        await moveHeld(tx, owner.id, quiet_hours && quietUntil(quiet_hours, request.now), request.now)
      }
      return settingsOf(tx, owner.id)
    },
  })
}

/** No update of prices has judged pairs since the last owner who wanted extremes ceased to: their places of then say nothing. */
async function forgetUnwatched(tx: Queryable): Promise<void> {
  const wanted = tx
    .select({ id: alert_settings.owner_id })
    .from(alert_settings)
    .where(eq(alert_settings.extremes, true))
  await tx.delete(pair_extremes).where(notExists(wanted))
}

/**
 * Moves all that quiet hours hold to another end, as one digest; targets are locked before their deliveries, as in `recordTry`.
 * @param until milliseconds, as `now`; null: it is sent now
 */
async function moveHeld(tx: Queryable, owner: string, until: number | null, now: number): Promise<void> {
  const [at, end] = [new Date(now), new Date(until ?? now)]
  for (const targets of [push_subscriptions, alert_channels]) {
    await tx
      .select({ id: targets.id })
      .from(targets)
      .where(eq(targets.owner_id, owner))
      .orderBy(asc(targets.id))
      .for('no key update')
  }
  const held = await tx
    .update(alert_events)
    .set({ held_until: end })
    // By the index of an owner's history: quiet hours end within two days.
    .where(
      and(
        eq(alert_events.owner_id, owner),
        gt(alert_events.crossed_at, new Date(now - 2 * DAY)),
        gt(alert_events.held_until, at),
      ),
    )
    .returning({ id: alert_events.id })
  const ids = held.map(({ id }) => id)
  for (const deliveries of [push_deliveries, channel_deliveries]) {
    await tx
      .update(deliveries)
      .set({ next_attempt_at: end })
      .where(and(inArray(deliveries.event_id, ids), eq(deliveries.outcome, 'waiting')))
  }
}
