import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq, gt, lte, or, sql } from 'drizzle-orm'
import { Counter, Gauge, type Registry } from 'prom-client'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import { pauseAfter } from '../../../src/domain/waits'
import { type Payments, PaymentsUnavailable } from '../../adapters/payments/payments'
import { billing_customers, billing_removals } from '../../db/schema/billing'
import type { PeriodicJob } from '../../jobs/periodic'
import { isDueInSql } from '../../waits'
import { readFigure } from '../read-figure'
import type { ServiceDeps } from '../service-deps'
import { syncCustomer } from './sync-customer'

type BillingJobsDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock' | 'payments' | 'logger'> & {
  readonly metrics: Registry
}

type AskingDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock' | 'logger'> & { readonly payments: Payments }

const FOUND: readonly Reconciled[] = ['same', 'changed', 'failed']

/** Periodic jobs of billing. Without a payment provider, work for it goes on waiting. */
export function billingJobs(deps: BillingJobsDeps): readonly PeriodicJob[] {
  const { payments, metrics } = deps
  measureRemovals(deps)
  if (payments === null) return []
  const reconciled = new Counter({
    name: 'billing_reconciled_total',
    help: 'Customers about whom the payment provider was asked unprompted, by how they were found',
    labelNames: ['found'],
    registers: [metrics],
  })
  for (const found of FOUND) reconciled.inc({ found }, 0)
  const asking = { ...deps, payments }
  return [
    { name: 'remove-billing-customers', every: MINUTE, run: (signal) => removeCustomers(asking, signal) },
    {
      name: 'reconcile-billing',
      // Each time those whose day is over.
      every: HOUR,
      run: (signal) => reconcile(asking, (found) => reconciled.inc({ found }), signal),
    },
  ]
}

function measureRemovals({ metrics, database: { orm }, logger }: BillingJobsDeps): void {
  const waiting: Gauge = new Gauge({
    name: 'billing_removals_waiting',
    help: 'Customers of deleted accounts that the payment provider has not removed yet',
    registers: [metrics],
    collect: async (): Promise<void> => {
      waiting.set((await readFigure('billing_removals_waiting', orm.$count(billing_removals), logger)) ?? NaN)
    },
  })
}

/** How a customer was found: changed without an event, as stored, or the provider did not answer. */
type Reconciled = 'changed' | 'same' | 'failed'

const BATCH = 100
/** Between two customers, milliseconds: Stripe allows 100 calls a second, and people are to be served meanwhile. */
const PAUSE_BETWEEN_CUSTOMERS = 100

/**
 * Asks the provider about every customer who was not asked about for a day, the longest waiting first: so a lost event is
 * made good within a day, and a run that is cut short goes on from there.
 * @param found called with each
 */
export async function reconcile(
  deps: AskingDeps,
  found: (how: Reconciled) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { database, clock, logger } = deps
  const { user_id, synced_at } = billing_customers
  const next = () => {
    const now = clock()
    // A time to come was written while the clock was wrong.
    const due = or(lte(synced_at, new Date(now - DAY)), gt(synced_at, new Date(now + DAY)))
    return database.orm.select().from(billing_customers).where(due).orderBy(asc(synced_at)).limit(BATCH)
  }
  const work = async (customer: typeof billing_customers.$inferSelect) => {
    const synced = await syncCustomer(deps, customer.customer_id, null)
    const changed = synced.kind === 'written' && synced.changed
    if (changed) logger?.warn({ user: customer.user_id }, 'a subscription was not as known: no event had told')
    found(changed ? 'changed' : 'same')
    await pause(signal)
  }
  const failed = async (customer: typeof billing_customers.$inferSelect, error: PaymentsUnavailable) => {
    logger?.error({ err: error, user: customer.user_id }, 'a customer could not be asked about')
    found('failed')
    const synced_at = new Date(clock())
    await database.orm.update(billing_customers).set({ synced_at }).where(eq(user_id, customer.user_id))
  }
  await oneByOne({ next, work, failed }, signal)
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(PAUSE_BETWEEN_CUSTOMERS, undefined, { signal })
  } catch {
    // Aborted: the next step finds that out.
  }
}

const RETRY_PAUSES = { first: MINUTE, growth: 2, longest: 6 * HOUR }

/** Has the customers of accounts that are gone removed at the provider, and with that their subscriptions ended. */
export async function removeCustomers(deps: Omit<AskingDeps, 'env'>, signal?: AbortSignal): Promise<void> {
  const { database, payments, clock, logger } = deps
  const { customer_id, next_attempt_at, attempts } = billing_removals
  const next = () => {
    const due = isDueInSql(next_attempt_at, clock(), 2 * RETRY_PAUSES.longest)
    return database.orm.select().from(billing_removals).where(due).orderBy(asc(next_attempt_at)).limit(BATCH)
  }
  const work = async (removal: typeof billing_removals.$inferSelect) => {
    await payments.removeCustomer(removal.customer_id)
    await database.orm.delete(billing_removals).where(eq(customer_id, removal.customer_id))
    logger?.info({ attempt: removal.attempts + 1 }, 'the customer of a deleted account was removed')
  }
  const failed = async (removal: typeof billing_removals.$inferSelect, error: PaymentsUnavailable) => {
    logger?.warn({ err: error, attempt: removal.attempts + 1 }, 'a customer could not be removed yet')
    const pause = pauseAfter(removal.attempts + 1, RETRY_PAUSES)
    await database.orm
      .update(billing_removals)
      .set({ attempts: sql`${attempts} + 1`, next_attempt_at: new Date(clock() + pause) })
      .where(eq(customer_id, removal.customer_id))
  }
  await oneByOne({ next, work, failed }, signal)
}

/** After so many failures in a row the provider is taken to be out of order. */
const MAX_FAILURES = 3

interface Step<T> {
  /** Reads the next rows that are due, at most BATCH. */
  readonly next: () => Promise<T[]>
  readonly work: (one: T) => Promise<void>
  /** Must put this one behind the others: one that fails for ever must not stand in their way. */
  readonly failed: (one: T, error: PaymentsUnavailable) => Promise<void>
}

/** Asks the provider about one after the other, until none is due, the provider fails, or `signal` is aborted. */
async function oneByOne<T>({ next, work, failed }: Step<T>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const batch = await next()
    let failures = 0
    for (const one of batch) {
      if (signal?.aborted === true) return
      try {
        await work(one)
        failures = 0
      } catch (error) {
        if (!(error instanceof PaymentsUnavailable)) throw error
        await failed(one, error)
        failures++
        if (failures === MAX_FAILURES) return
      }
    }
    if (batch.length < BATCH) return
  }
}
