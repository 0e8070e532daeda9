import { and, eq, lte } from 'drizzle-orm'
import type { AppParts } from '../../app-parts'
import { subscriptions } from '../../db/schema/billing'
import { isOpenGrant } from '../billing/gives-premium'
import { settlePremium } from '../billing/settle-premium'
import { inUsersTurn } from '../owners'

type Parts = Pick<AppParts, 'database' | 'env'>

/** Accounts that are looked for at once. */
const AT_ONCE = 100

/**
 * Ends the grants whose time is over, each in its account's turn.
 * @param now milliseconds since 1970
 * @returns of how many accounts
 */
export async function endGrants({ database, env }: Parts, now: number, signal?: AbortSignal): Promise<number> {
  // prettier-ignore
  const over = and(isOpenGrant, lte(subscriptions.current_period_end, new Date(now)))
  let ended = 0
  for (;;) {
    const due = await database.orm.selectDistinct({ user: subscriptions.user_id }).from(subscriptions).where(over).limit(AT_ONCE) // prettier-ignore
    for (const { user } of due) {
      if (signal?.aborted === true) return ended
      const done = await inUsersTurn(database, user, async (tx) => {
        await tx
          .update(subscriptions)
          .set({ status: 'canceled' })
          .where(and(eq(subscriptions.user_id, user), over))
        await settlePremium(tx, user, env, now)
        return true
      })
      // An account that has gone meanwhile has taken its grants along.
      if (done) ended++
    }
    if (due.length < AT_ONCE) return ended
  }
}
