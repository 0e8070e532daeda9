import { and, eq, not, sql } from 'drizzle-orm'
import { effectiveLimits } from '../../../src/domain/tier-limits'
import type { Queryable } from '../../db/open'
import { subscriptions } from '../../db/schema/billing'
import { users } from '../../db/schema/users'
import type { Env } from '../../env'
import { tiersOf } from '../limits'
import { arrange, holdLayout } from '../widgets/arrange'
import { givesPremium } from './gives-premium'

/**
 * Brings an account's tier into line with its subscriptions, and the activity of its widgets with the tier. Whoever
 * changes subscriptions calls this in the same transaction, which runs in the user's turn (`inUsersTurn`).
 * @param now milliseconds since 1970
 * @returns whether they have Premium now
 */
export async function settlePremium(tx: Queryable, user: string, env: Env, now: number): Promise<boolean> {
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
  const layout = await holdLayout(tx, user)
  await arrange(tx, layout.map(({ id }) => id), effectiveLimits(tiersOf(env), premium).max_widgets) // prettier-ignore
  return premium
}
