import { and, eq, sql } from 'drizzle-orm'
import type { BillingEvent, Payments } from '../../adapters/payments/payments'
import { PaymentsUnavailable } from '../../adapters/payments/payments'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { billing_customers, billing_events } from '../../db/schema/billing'
import { inUsersTurn } from '../owners'
import { settlePremium } from './settle-premium'
import { writeSubscriptions } from './write-subscriptions'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock'> & { readonly payments: Payments }

/** What came of it. `known`: the event has had its effect; `unknown`: nobody here is that customer. */
export type Synced = { readonly kind: 'written'; readonly changed: boolean } | { readonly kind: 'known' | 'unknown' }

/** How often it is asked again, at most, because somebody else has written meanwhile. */
const ROUNDS = 12

/**
 * Brings an account into line with what its customer has at the provider, which is asked: every event has this one effect,
 * and so their order and number do not matter. Nothing is held while the provider is asked, so two may ask at once and
 * write in the other order. What was read is therefore written only if nothing was since before it was asked for; else it
 * is asked for again.
 *
 *     read version ──▶ ask the provider ──▶ user's turn: version still the same? ──no──▶ again
 *                                                        │yes
 *                                  event's id, subscriptions, tier, version + 1: one commit
 *
 * @param event why; null: nothing has been heard, it is asked on our own account
 * @throws PaymentsUnavailable with nothing written
 */
export async function syncCustomer(parts: Parts, customer: string, event: BillingEvent | null): Promise<Synced> {
  const { database, payments } = parts
  for (let round = 0; round < ROUNDS; round++) {
    const [row] = await database.orm.select().from(billing_customers).where(eq(billing_customers.customer_id, customer))
    if (row === undefined) return { kind: 'unknown' }
    const remote = await payments.subscriptionsOf(customer)
    const synced = await inUsersTurn(database, row.user_id, async (tx): Promise<Synced | null> => {
      if (!(await isAsRead(tx, row))) return null
      if (event !== null && !(await noteEvent(tx, event, parts.clock()))) return { kind: 'known' }
      return { kind: 'written', changed: await write(tx, parts, row.user_id, remote) }
    })
    if (synced != null) return synced
  }
  throw new PaymentsUnavailable('others wrote each time that it was asked')
}

async function isAsRead(tx: Queryable, read: typeof billing_customers.$inferSelect): Promise<boolean> {
  const { user_id, customer_id, version } = billing_customers
  const same = and(eq(user_id, read.user_id), eq(customer_id, read.customer_id), eq(version, read.version))
  return (await tx.select({ version }).from(billing_customers).where(same)).length === 1
}

/**
 * Notes that an event has its effect, in the transaction of the effect.
 * @param now milliseconds since 1970
 * @returns false where it has had it
 */
export async function noteEvent(tx: Queryable, { id, type }: BillingEvent, now: number): Promise<boolean> {
  const noted = await tx
    .insert(billing_events)
    .values({ id, type, received_at: new Date(now) })
    .onConflictDoNothing()
    .returning({ id: billing_events.id })
  return noted.length > 0
}

async function write(
  tx: Queryable,
  { env, clock }: Parts,
  user: string,
  remote: Awaited<ReturnType<Payments['subscriptionsOf']>>,
): Promise<boolean> {
  const now = clock()
  const changed = await writeSubscriptions(tx, user, remote)
  await tx
    .update(billing_customers)
    .set({ version: sql`${billing_customers.version} + 1`, synced_at: new Date(now) })
    .where(eq(billing_customers.user_id, user))
  await settlePremium(tx, user, env, now)
  return changed > 0
}
