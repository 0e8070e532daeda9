import { and, eq, ne, not, notInArray, sql } from 'drizzle-orm'
import type { RemoteSubscription } from '../../adapters/payments/payments'
import type { Queryable } from '../../db/open'
import { subscriptions } from '../../db/schema/billing'
import { isGrant } from './gives-premium'

/**
 * Writes what the provider has of an account, and ends what it does not have any more; grants are left alone.
 * @returns how many rows are others now
 */
export async function writeSubscriptions(
  tx: Queryable,
  user: string,
  remote: readonly RemoteSubscription[],
): Promise<number> {
  let changed = 0
  for (const one of remote) changed += await write(tx, user, one)
  const ids = remote.map(({ id }) => id)
  const gone = await tx
    .update(subscriptions)
    .set({ status: 'canceled' })
    .where(
      and(
        eq(subscriptions.user_id, user),
        not(isGrant),
        ne(subscriptions.status, 'canceled'),
        ids.length === 0 ? undefined : notInArray(subscriptions.stripe_subscription_id, ids),
      ),
    )
    .returning({ id: subscriptions.id })
  return changed + gone.length
}

async function write(tx: Queryable, user: string, remote: RemoteSubscription): Promise<number> {
  const { status, current_period_start, current_period_end, cancel_at_period_end } = subscriptions
  const told = {
    status: remote.status,
    current_period_start: new Date(remote.periodStart),
    current_period_end: new Date(remote.periodEnd),
    cancel_at_period_end: remote.cancelAtPeriodEnd,
  }
  const written = await tx
    .insert(subscriptions)
    .values({ user_id: user, stripe_subscription_id: remote.id, created_at: new Date(remote.createdAt), ...told })
    .onConflictDoUpdate({
      target: subscriptions.stripe_subscription_id,
      set: told,
      setWhere: sql`${eq(subscriptions.user_id, user)} AND (${status}, ${current_period_start}, ${current_period_end}, ${cancel_at_period_end})
        IS DISTINCT FROM (excluded.status, excluded.current_period_start, excluded.current_period_end, excluded.cancel_at_period_end)`,
    })
    .returning({ id: subscriptions.id })
  return written.length
}
