import { eq } from 'drizzle-orm'
import type { Database } from '../../../server/db/open'
import { alert_events } from '../../../server/db/schema/alerts'
import { widgets } from '../../../server/db/schema/widgets'

type Row = typeof alert_events.$inferSelect

/** A crossing of a widget's threshold as a price update records it, and tells this process of it. @param at milliseconds since 1970 */
export async function recordCrossing(
  database: Database,
  widget: string,
  at: number,
  change: Partial<Row> = {},
): Promise<Row> {
  const [event = failed()] = await recordCrossings(database, widget, [{ crossed_at: new Date(at), ...change }])
  return event
}

/** Crossings of a widget's threshold in one statement. */
export async function recordCrossings(
  { orm, changes: committed }: Database,
  widget: string,
  changes: readonly (Partial<Row> & Pick<Row, 'crossed_at'>)[],
): Promise<Row[]> {
  const [{ owner_id, coin_a_id, coin_b_id } = failed()] = await orm.select().from(widgets).where(eq(widgets.id, widget))
  const events = await orm
    .insert(alert_events)
    .values(
      changes.map((change) => ({
        owner_id,
        widget_id: widget,
        coin_a_id,
        coin_b_id,
        coin_a_symbol: 'BTC',
        coin_b_symbol: 'ETH',
        side: 'high' as const,
        epoch: 0,
        ratio: 21.5,
        threshold: 21,
        ...change,
      })),
    )
    .returning()
  committed.publish(events.map(({ id }) => ({ kind: 'alert', owner: owner_id, eventId: id })))
  return events
}

const failed = (): never => {
  throw new Error('There is no such widget')
}
