import { sql } from 'drizzle-orm'
import { alertEventId, storedRuleOf } from '../../../src/domain/alerts'
import type { WayKind } from '../../../src/domain/way-alerts'
import type { Change } from '../../db/changes'
import type { Queryable } from '../../db/open'

interface WayNote {
  readonly owner: string
  readonly kind: WayKind
  /** Id of the channel or subscription. */
  readonly way: string
  /** Such as "the webhook at hooks.example"; null: not known. */
  readonly name: string | null
}

/**
 * Tells an owner that a way does not reach them, by all the others: as an event beside their newest crossing, of whose pair it
 * says nothing. It goes through the queue of alerts with all that holds for those. An owner without crossings has missed none.
 * @returns for after the commit
 */
export async function noteWay(
  tx: Queryable,
  { owner, kind, way, name }: WayNote,
  now: number,
): Promise<readonly Change[]> {
  const epoch = Math.floor(now / 1000)
  const { rows } = await tx.execute(sql`
    INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, kind, epoch, ratio,
      threshold, rule_id, note, crossed_at)
    SELECT owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, ${kind}, ${epoch}, ratio,
      threshold, ${way}, ${name}, ${new Date(now)}
    FROM alert_events WHERE owner_id = ${owner} ORDER BY crossed_at DESC, id DESC LIMIT 1
    ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING RETURNING id`)
  return rows.map(() => ({ kind: 'alert', owner, eventId: alertEventId(storedRuleOf(way), epoch) }))
}
