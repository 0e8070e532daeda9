import { count, desc, eq, sql } from 'drizzle-orm'
import type { AdminProfile } from '../../../src/contract/admin'
import type { Subscription } from '../../../src/contract/billing'
import { ApiError } from '../../api-error'
import type { Database, Queryable } from '../../db/open'
import { subscriptions } from '../../db/schema/billing'
import { checkpoints } from '../../db/schema/checkpoints'
import { push_subscriptions } from '../../db/schema/push'
import { widgets } from '../../db/schema/widgets'
import { type Account, readAccount } from '../accounts/account'
import { adminUserAnswer } from './list-users'
import { atOneMoment } from './page'

/**
 * An account, and how much is its.
 * @throws ApiError NOT_FOUND
 */
export function readProfile(database: Database, id: string): Promise<AdminProfile> {
  return atOneMoment(database, async (tx) => {
    const account = await requireAccount(tx, id)
    const [pairs] = await tx
      .select({ all: count(), active: sql<number>`count(*) FILTER (WHERE ${widgets.is_active})::int` })
      .from(widgets)
      .where(eq(widgets.owner_id, id))
    const [saved] = await tx.select({ all: count() }).from(checkpoints).where(eq(checkpoints.owner_id, id))
    const [told] = await tx.select({ all: count() }).from(push_subscriptions).where(eq(push_subscriptions.owner_id, id)) // prettier-ignore
    return {
      ...adminUserAnswer(account),
      widgets: pairs?.all ?? 0,
      active_widgets: pairs?.active ?? 0,
      checkpoints: saved?.all ?? 0,
      push_subscriptions: told?.all ?? 0,
    }
  })
}

/**
 * All that has given an account Premium, newest first.
 * @throws ApiError NOT_FOUND
 */
export function readSubscriptions(database: Database, id: string): Promise<Subscription[]> {
  return atOneMoment(database, async (tx) => {
    await requireAccount(tx, id)
    const rows = await tx
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.user_id, id))
      .orderBy(desc(subscriptions.created_at), desc(subscriptions.id))
    return rows.map(subscriptionAnswer)
  })
}

/** @throws ApiError NOT_FOUND */
export async function requireAccount(db: Queryable, id: string): Promise<Account> {
  const account = await readAccount(db, id)
  if (account === undefined) throw new ApiError('NOT_FOUND', 'There is no such account.')
  return account
}

export const subscriptionAnswer = (row: typeof subscriptions.$inferSelect): Subscription => ({
  id: row.id,
  stripe_subscription_id: row.stripe_subscription_id,
  status: row.status,
  current_period_start: row.current_period_start.toISOString(),
  current_period_end: row.current_period_end.toISOString(),
  cancel_at_period_end: row.cancel_at_period_end,
  created_at: row.created_at.toISOString(),
})
