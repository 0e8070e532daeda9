import { asc, eq, gt, lte, or, sql } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import type { Payments } from '../../adapters/payments/payments'
import type { AppParts } from '../../app-parts'
import { billing_removals } from '../../db/schema/billing'
import { oneByOne } from './one-by-one'

type Parts = Pick<AppParts, 'database' | 'clock' | 'logger'> & { readonly payments: Payments }

const AT_ONCE = 50
/** Between two tries for one customer, milliseconds. */
const FIRST_PAUSE = MINUTE
const LONGEST_PAUSE = 6 * HOUR

/** Has the customers of accounts that are gone removed at the provider, and with that what they pay for ended. */
export async function removeCustomers(parts: Parts, signal?: AbortSignal): Promise<void> {
  const { database, payments, clock, logger } = parts
  const { customer_id, next_attempt_at, attempts } = billing_removals
  for (;;) {
    const now = clock()
    // A time further ahead than it can be was written while the clock was wrong.
    const due = or(lte(next_attempt_at, new Date(now)), gt(next_attempt_at, new Date(now + 2 * LONGEST_PAUSE)))
    const some = await database.orm.select().from(billing_removals).where(due).orderBy(asc(next_attempt_at)).limit(AT_ONCE) // prettier-ignore
    const goOn = await oneByOne(
      some,
      {
        work: async (removal) => {
          await payments.removeCustomer(removal.customer_id)
          await database.orm.delete(billing_removals).where(eq(customer_id, removal.customer_id))
          logger?.info({ attempt: removal.attempts + 1 }, 'the customer of a deleted account was removed')
        },
        failed: async (removal, error) => {
          logger?.warn({ err: error, attempt: removal.attempts + 1 }, 'a customer could not be removed yet')
          const pause = Math.min(FIRST_PAUSE * 2 ** removal.attempts, LONGEST_PAUSE)
          await database.orm
            .update(billing_removals)
            .set({ attempts: sql`${attempts} + 1`, next_attempt_at: new Date(clock() + pause) })
            .where(eq(customer_id, removal.customer_id))
        },
      },
      signal,
    )
    if (!goOn || some.length < AT_ONCE) return
  }
}
