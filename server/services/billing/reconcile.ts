import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq, gt, lte, or } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import type { Payments } from '../../adapters/payments/payments'
import type { AppParts } from '../../app-parts'
import { billing_customers } from '../../db/schema/billing'
import { oneByOne } from './one-by-one'
import { syncCustomer } from './sync-customer'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'logger'> & { readonly payments: Payments }

/** How each customer was found: as no event had told, as known, or not at all. */
export type Reconciled = 'changed' | 'same' | 'failed'

const AT_ONCE = 100
/** Between two customers, milliseconds: Stripe allows 100 calls a second, and people are to be served meanwhile. */
const PACE = 100

/**
 * Asks the provider about every customer who was not asked about for a day, whoever waits longest first: so a lost event
 * is made good within a day, and a run that is cut short goes on where it was.
 * @param found is told of each
 */
export async function reconcile(parts: Parts, found: (how: Reconciled) => void, signal?: AbortSignal): Promise<void> {
  const { database, clock, logger } = parts
  const { user_id, synced_at } = billing_customers
  for (;;) {
    const now = clock()
    // A time to come was written while the clock was wrong.
    const due = or(lte(synced_at, new Date(now - DAY)), gt(synced_at, new Date(now + DAY)))
    const some = await database.orm.select().from(billing_customers).where(due).orderBy(asc(synced_at)).limit(AT_ONCE)
    const goOn = await oneByOne(
      some,
      {
        work: async (customer) => {
          const synced = await syncCustomer(parts, customer.customer_id, null)
          const changed = synced.kind === 'written' && synced.changed
          if (changed) logger?.warn({ user: customer.user_id }, 'a subscription was not as known: no event had told')
          found(changed ? 'changed' : 'same')
          await pause(signal)
        },
        failed: async (customer, error) => {
          logger?.error({ err: error, user: customer.user_id }, 'a customer could not be asked about')
          found('failed')
          const synced_at = new Date(clock())
          await database.orm.update(billing_customers).set({ synced_at }).where(eq(user_id, customer.user_id))
        },
      },
      signal,
    )
    if (!goOn || some.length < AT_ONCE) return
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(PACE, undefined, { signal })
  } catch {
    // Aborted: whoever is next finds that out.
  }
}
