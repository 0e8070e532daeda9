import { and, eq, ne, not, notInArray, sql } from 'drizzle-orm'
import {
  type BillingEvent,
  type Payments,
  PaymentsUnavailable,
  type RemoteSubscription,
} from '../../adapters/payments/payments'
import type { Queryable } from '../../db/open'
import { billing_customers, billing_events, subscriptions } from '../../db/schema/billing'
import { withUserLock } from '../owners'
import type { ChangeTx } from '../revisions'
import type { ServiceDeps } from '../service-deps'
import { whileAvailable } from './payment-provider'
import { isGrant, syncTier } from './tier'

/** `unconcerned`: the event is about no subscription here. */
export type EventEffect = 'applied' | 'known' | 'unconcerned'

/**
 * Takes an event of the payment provider. Once this resolves, the event has had its effect, and never has it again.
 * @throws ApiError BILLING_UNAVAILABLE, mostly with nothing stored: the provider sends the event again
 */
export async function takeEvent(
  deps: Pick<ServiceDeps, 'database' | 'env' | 'clock' | 'payments' | 'logger'>,
  event: BillingEvent,
): Promise<EventEffect> {
  const { database, clock } = deps
  const known = await database.orm.select().from(billing_events).where(eq(billing_events.id, event.id))
  if (known.length > 0) return 'known'
  const { customer } = event
  if (customer !== null) {
    const synced = await whileAvailable(deps, (payments) => syncCustomer({ ...deps, payments }, customer, event))
    if (synced.kind !== 'unknown') return synced.kind === 'known' ? 'known' : 'applied'
  }
  return (await noteEvent(database.orm, event, clock())) ? 'unconcerned' : 'known'
}

type SyncCustomerDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock'> & { readonly payments: Payments }

/** Result. `known`: the event has had its effect; `unknown`: no account is that customer. */
export type Synced = { readonly kind: 'written'; readonly changed: boolean } | { readonly kind: 'known' | 'unknown' }

/** Questions to the provider, at most, when others write meanwhile. */
const MAX_ROUNDS = 12

/**
 * Brings an account into line with its customer's subscriptions at the provider, which is asked: every event has this one
 * effect, so the order and number of events do not matter. No lock is held while the provider is asked, so two processes may
 * ask at once and write in the other order. An answer is therefore written only if no other was written since the question;
 * else the provider is asked again.
 *
 *     read version ──▶ ask the provider ──▶ user's lock: version still the same? ──no──▶ again
 *                                                        │yes
 *                                  event's id, subscriptions, tier, version + 1: one commit
 *
 * @param event the reason; null: the server asks of its own accord
 * @throws PaymentsUnavailable with nothing written
 */
export async function syncCustomer(
  deps: SyncCustomerDeps,
  customer: string,
  event: BillingEvent | null,
): Promise<Synced> {
  const { database, payments, clock } = deps
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [row] = await database.orm.select().from(billing_customers).where(eq(billing_customers.customer_id, customer))
    if (row === undefined) return { kind: 'unknown' }
    const remote = await payments.subscriptionsOf(customer)
    const synced = await withUserLock(database, row.user_id, clock(), async (tx): Promise<Synced | null> => {
      if (!(await isAsRead(tx, row))) return null
      if (event !== null && !(await noteEvent(tx, event, deps.clock()))) return { kind: 'known' }
      return { kind: 'written', changed: await writeCustomer(tx, deps, row.user_id, remote) }
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
 * @returns false where it has had it
 */
async function noteEvent(tx: Queryable, { id, type }: BillingEvent, now: number): Promise<boolean> {
  const noted = await tx
    .insert(billing_events)
    .values({ id, type, received_at: new Date(now) })
    .onConflictDoNothing()
    .returning({ id: billing_events.id })
  return noted.length > 0
}

async function writeCustomer(
  tx: ChangeTx,
  { env, clock }: SyncCustomerDeps,
  user: string,
  remote: Awaited<ReturnType<Payments['subscriptionsOf']>>,
): Promise<boolean> {
  const now = clock()
  const changed = await writeSubscriptions(tx, user, remote)
  if (changed > 0) tx.raise(user, 'account')
  await tx
    .update(billing_customers)
    .set({ version: sql`${billing_customers.version} + 1`, synced_at: new Date(now) })
    .where(eq(billing_customers.user_id, user))
  await syncTier(tx, user, env, now)
  return changed > 0
}

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
  for (const one of remote) changed += await writeSubscription(tx, user, one)
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

async function writeSubscription(tx: Queryable, user: string, remote: RemoteSubscription): Promise<number> {
  const { status, current_period_start, current_period_end, cancel_at_period_end } = subscriptions
  const written = {
    status: remote.status,
    current_period_start: new Date(remote.periodStart),
    current_period_end: new Date(remote.periodEnd),
    cancel_at_period_end: remote.cancelAtPeriodEnd,
  }
  const rows = await tx
    .insert(subscriptions)
    .values({ user_id: user, stripe_subscription_id: remote.id, created_at: new Date(remote.createdAt), ...written })
    .onConflictDoUpdate({
      target: subscriptions.stripe_subscription_id,
      set: written,
      setWhere: sql`${eq(subscriptions.user_id, user)} AND (${status}, ${current_period_start}, ${current_period_end}, ${cancel_at_period_end})
        IS DISTINCT FROM (excluded.status, excluded.current_period_start, excluded.current_period_end, excluded.cancel_at_period_end)`,
    })
    .returning({ id: subscriptions.id })
  return rows.length
}
