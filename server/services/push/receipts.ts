import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { MINUTE } from '../../../src/domain/granularity'
import { alert_events, push_deliveries, push_subscriptions } from '../../db/schema/alerts'
import { ApiError } from '../../http/api-error'
import { eventIdOf } from '../alerts/event-wire'
import { hashOfSecret } from '../secrets'
import type { ServiceDeps } from '../service-deps'

/**
 * Records that a browser has shown alerts; ids of alerts that it was not sent are left alone.
 * @param authorization header of its request
 * @throws ApiError UNAUTHENTICATED for a secret that no subscription has
 */
export async function recordShown(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  authorization: string | undefined,
  eventIds: readonly string[],
): Promise<void> {
  const secret = /^Receipt ([\w-]{43})$/.exec(authorization ?? '')?.[1] ?? ''
  const shown_at = new Date(clock())
  await database.orm.transaction(async (tx) => {
    // The browser's row is locked before its deliveries', as in `recordTry`.
    const [browser] = await tx
      .update(push_subscriptions)
      .set({ shown_at })
      .where(eq(push_subscriptions.receipt_hash, hashOfSecret(secret)))
      .returning({
        id: push_subscriptions.id,
        owner_id: push_subscriptions.owner_id,
        told: push_subscriptions.silence_told_at,
      })
    if (browser === undefined) throw new ApiError('UNAUTHENTICATED', 'No browser has this receipt secret.')
    if (browser.told !== null) {
      const silent = and(eq(push_subscriptions.owner_id, browser.owner_id), eq(push_subscriptions.id, browser.id))
      await tx.update(push_subscriptions).set({ silence_told_at: null }).where(silent)
      const notBack = and(eq(alert_events.owner_id, browser.owner_id), isNull(alert_events.back_at))
      const ofIt = and(eq(alert_events.kind, 'device_silent'), eq(alert_events.rule_id, browser.id))
      await tx.update(alert_events).set({ back_at: shown_at }).where(and(notBack, ofIt))
    }
    const theirs = eq(push_deliveries.owner_id, browser.owner_id)
    const open = await tx
      .select()
      .from(push_deliveries)
      .innerJoin(
        alert_events,
        and(eq(alert_events.id, push_deliveries.event_id), eq(alert_events.owner_id, push_deliveries.owner_id)),
      )
      .where(and(theirs, eq(push_deliveries.subscription_id, browser.id), isNull(push_deliveries.shown_at)))
    const shown = open
      .filter(({ alert_events: event }) => eventIds.includes(eventIdOf(event)))
      .map(({ push_deliveries: { id } }) => id)
    if (shown.length > 0)
      await tx
        .update(push_deliveries)
        .set({ shown_at })
        .where(and(theirs, inArray(push_deliveries.id, shown)))
  })
}

/** A browser that has shown nothing of so many alerts in a row is silent. */
export const SILENT_AFTER = 3
/** A browser may show an alert so much later than its push service took it. Milliseconds. */
export const SHOWN_WITHIN = 10 * MINUTE

/**
 * Alerts that the browser of a session was sent since it last confirmed that it had shown one; null: fewer than three, or it
 * never confirmed any. Of a row of `sessions`.
 */
export const unshownInSql = (now: number) => sql<number | null>`(
  SELECT count(*)::int FROM push_subscriptions s JOIN push_deliveries d ON d.subscription_id = s.id
  WHERE s.session_id = sessions.id AND s.receipt_hash IS NOT NULL AND s.refused_at IS NULL
    AND d.outcome = 'sent' AND d.ended_at > s.shown_at AND d.ended_at < ${new Date(now - SHOWN_WITHIN)}
  HAVING count(*) >= ${SILENT_AFTER})`
