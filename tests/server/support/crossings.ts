import { eq } from 'drizzle-orm'
import type { Database } from '../../../server/db/open'
import { alert_events } from '../../../server/db/schema/alerts'
import { widgets } from '../../../server/db/schema/widgets'

type Row = typeof alert_events.$inferSelect

/** A crossing of a widget's threshold as a price update records it. @param at milliseconds since 1970 */
export async function recordCrossing(
  { orm }: Database,
  widget: string,
  at: number,
  change: Partial<Row> = {},
): Promise<Row> {
  const [{ owner_id, coin_a_id, coin_b_id } = failed()] = await orm.select().from(widgets).where(eq(widgets.id, widget))
  const [event = failed()] = await orm
    .insert(alert_events)
    .values({
      owner_id,
      widget_id: widget,
      coin_a_id,
      coin_b_id,
      coin_a_symbol: 'BTC',
      coin_b_symbol: 'ETH',
      side: 'high',
      epoch: 0,
      ratio: 21.5,
      threshold: 21,
      crossed_at: new Date(at),
      ...change,
    })
    .returning()
  return event
}

const failed = (): never => {
  throw new Error('There is no such widget')
}
