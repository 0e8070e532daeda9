import { sql } from 'drizzle-orm'
import type { Database } from '../../db/open'
import type { WaitingAlert } from './waiting-alert'

/** What becomes of a delivery that was tried. Times are milliseconds since 1970. */
export type Settlement =
  | {
      readonly kind: 'sent' | 'undeliverable' | 'too-late' | 'unwanted' | 'superseded'
      readonly freeAt: number
    }
  | { readonly kind: 'again'; readonly nextAttempt: number; readonly freeAt: number }
  /** The subscription is over: it goes, and its deliveries with it. */
  | { readonly kind: 'gone' }
  /** It is not used until the browser subscribes anew; what waits for it has ended with it. */
  | { readonly kind: 'refused' }

/**
 * Writes down what has become of a delivery, and lets go of its browser. The browser's row is held before the delivery's,
 * as by everybody who changes both; one that has gone meanwhile has taken its deliveries along.
 * @param now milliseconds since 1970
 */
export async function settle(
  { orm }: Database,
  { delivery_id, subscription_id, subscribed_at }: WaitingAlert,
  settlement: Settlement,
  now: number,
): Promise<void> {
  const at = new Date(now)
  const freed = (freeAt: number) => sql`
    WITH held AS MATERIALIZED (
      UPDATE push_subscriptions SET free_at = ${new Date(freeAt)} WHERE id = ${subscription_id} RETURNING id
    )`
  const its = sql`id = ${delivery_id} AND outcome = 'waiting' AND subscription_id = ANY (ARRAY (SELECT id FROM held))`
  switch (settlement.kind) {
    case 'sent':
    case 'undeliverable':
    case 'too-late':
    case 'unwanted':
    case 'superseded':
      await orm.execute(sql`${freed(settlement.freeAt)}
        UPDATE push_deliveries SET outcome = ${settlement.kind}, ended_at = ${at} WHERE ${its}`)
      return
    case 'again':
      await orm.execute(sql`${freed(settlement.freeAt)}
        UPDATE push_deliveries SET next_attempt_at = ${new Date(settlement.nextAttempt)} WHERE ${its}`)
      // A pause holds for all that waits for the browser: none of it is to be looked at before.
      if (settlement.freeAt > now) await orm.execute(sql`
        UPDATE push_deliveries SET next_attempt_at = ${new Date(settlement.freeAt)}
        WHERE subscription_id = ${subscription_id} AND outcome = 'waiting' AND next_attempt_at < ${new Date(settlement.freeAt)}`) // prettier-ignore
      return
    case 'gone':
      await orm.execute(sql`DELETE FROM push_subscriptions WHERE id = ${subscription_id}`)
      return
    case 'refused':
      // A browser that has subscribed anew meanwhile may have other keys: that is for its next alert to find out.
      await orm.execute(sql`
        WITH held AS MATERIALIZED (
          UPDATE push_subscriptions SET free_at = ${at}, refused_at = CASE WHEN subscribed_at = ${subscribed_at} THEN ${at}::timestamptz END
          WHERE id = ${subscription_id} RETURNING id
        )
        UPDATE push_deliveries SET outcome = 'refused', ended_at = ${at}
        WHERE outcome = 'waiting' AND subscription_id = ANY (ARRAY (SELECT id FROM held))`)
  }
}
