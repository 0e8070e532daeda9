import { and, eq, gt, inArray, like, not, or, type SQL, sql } from 'drizzle-orm'
import { ENTITLING_STATUSES, MANUAL_PREFIX } from '../../../src/domain/subscription'
import { effectiveLimits } from '../../../src/domain/tier-limits'
import { subscriptions } from '../../db/schema/billing'
import { users } from '../../db/schema/users'
import type { Env } from '../../env'
import { tiersOf } from '../owners'
import type { ChangeTx } from '../revisions'
import { arrange, holdLayout } from '../widgets/arrange'

/* Rows of `subscriptions`, judged in the database. `now` is milliseconds since 1970. */

export const isGrant: SQL = like(subscriptions.stripe_subscription_id, `${MANUAL_PREFIX.replaceAll('_', '\\_')}%`)

/** The provider says when a paid subscription is over. */
export const isPaidFor = and(not(isGrant), inArray(subscriptions.status, [...ENTITLING_STATUSES]))

/** A grant that has not been ended, though its time may be over. */
export const isOpenGrant = and(isGrant, eq(subscriptions.status, 'active'))

export const isCurrentGrant = (now: number): SQL | undefined =>
  and(isOpenGrant, gt(subscriptions.current_period_end, new Date(now)))

const givesPremium = (now: number): SQL | undefined => or(isPaidFor, isCurrentGrant(now))

/**
 * Brings an account's tier into line with its subscriptions, and the activity of its widgets with the tier. Every change
 * of subscriptions calls this in its transaction, which holds the user's lock (`withUserLock`).
 * @returns whether they have Premium now
 */
export async function syncTier(tx: ChangeTx, user: string, env: Env, now: number): Promise<boolean> {
  const [gives] = await tx
    .select({ one: sql`1` })
    .from(subscriptions)
    .where(and(eq(subscriptions.user_id, user), givesPremium(now)))
    .limit(1)
  const premium = gives !== undefined
  const changed = await tx
    .update(users)
    .set({ has_premium_access: premium })
    .where(and(eq(users.id, user), not(eq(users.has_premium_access, premium))))
    .returning({ id: users.id })
  if (changed.length === 0) return premium
  tx.raise(user, 'account')
  tx.raise(user, 'widgets')
  const layout = await holdLayout(tx, user)
  await arrange(
    tx,
    user,
    layout.map(({ id }) => id),
    effectiveLimits(tiersOf(env), premium).max_widgets,
  )
  return premium
}
