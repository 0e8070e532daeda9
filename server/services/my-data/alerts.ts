import { count, desc, eq, inArray } from 'drizzle-orm'
import type { MyData } from '../../../src/contract/my-data'
import type { Queryable } from '../../db/open'
import { alert_events } from '../../db/schema/alerts'
import { push_deliveries } from '../../db/schema/push'
import type { Owner } from '../owners'

/** Alerts that one file holds, some 4 MB: nothing else limits how often a threshold is crossed in 400 days. */
export const MOST_ALERTS = 10_000

/** An owner's alerts, newest first, each with what became of the messages to browsers. */
export async function readAlerts(tx: Queryable, { id }: Owner): Promise<MyData['alerts']> {
  const newest = tx
    .select()
    .from(alert_events)
    .where(eq(alert_events.owner_id, id))
    .orderBy(desc(alert_events.crossed_at))
    .limit(MOST_ALERTS)
  const theirs = tx.select({ id: alert_events.id }).from(alert_events).where(eq(alert_events.owner_id, id))
  const [events, deliveries] = [await newest, await tx.select().from(push_deliveries).where(inArray(push_deliveries.event_id, theirs))] // prettier-ignore
  const messages = new Map<string, (typeof deliveries)[number][]>()
  for (const delivery of deliveries) {
    const known = messages.get(delivery.event_id)
    if (known === undefined) messages.set(delivery.event_id, [delivery])
    else known.push(delivery)
  }
  return events.map((event) => ({
    widget_id: event.widget_id,
    coin_a_id: event.coin_a_id,
    coin_b_id: event.coin_b_id,
    side: event.side,
    ratio: event.ratio,
    threshold: event.threshold,
    crossed_at: event.crossed_at.toISOString(),
    back_at: event.back_at?.toISOString() ?? null,
    delivery: event.delivery,
    messages: (messages.get(event.id) ?? []).map(({ outcome, attempts, ended_at }) => ({
      outcome,
      attempts,
      ended_at: ended_at?.toISOString() ?? null,
    })),
  }))
}

export async function countAlerts(tx: Queryable, { id }: Owner): Promise<number> {
  const [row] = await tx.select({ all: count() }).from(alert_events).where(eq(alert_events.owner_id, id))
  return row?.all ?? 0
}
