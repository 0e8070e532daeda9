import { countDistinct, max } from 'drizzle-orm'
import type { Overview } from '../../../../src/contract/admin'
import type { Payments } from '../../../adapters/payments/payments'
import type { Queryable } from '../../../db/open'
import { billing_events, subscriptions } from '../../../db/schema/billing'
import { isGranted, isPaidFor } from '../../billing/gives-premium'

/**
 * Who has Premium and why; an account may have it for both reasons.
 * @param now milliseconds since 1970
 */
export async function billingFigures(
  db: Queryable,
  payments: Payments | null,
  now: number,
): Promise<Overview['billing']> {
  // prettier-ignore
  const accounts = { all: countDistinct(subscriptions.user_id) }
  const [paying] = await db.select(accounts).from(subscriptions).where(isPaidFor)
  const [granted] = await db.select(accounts).from(subscriptions).where(isGranted(now))
  const [newest] = await db.select({ at: max(billing_events.received_at) }).from(billing_events)
  return {
    available: payments !== null,
    sandbox: payments?.sandbox ?? false,
    paying: paying?.all ?? 0,
    granted: granted?.all ?? 0,
    newest_event_at: newest?.at?.toISOString() ?? null,
  }
}
