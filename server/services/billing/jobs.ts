import { lt } from 'drizzle-orm'
import { Counter, Gauge, type Registry } from 'prom-client'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import type { AppParts } from '../../app-parts'
import type { Database } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { billing_events, billing_removals } from '../../db/schema/billing'
import type { PeriodicJob } from '../../jobs/periodic'
import { removeByAge } from '../retention/retention-time'
import { reconcile, type Reconciled } from './reconcile'
import { removeCustomers } from './remove-customers'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'payments' | 'logger'> & { readonly metrics: Registry }

/** How long it is known which events have had their effect, milliseconds; Stripe sends none again after a month. */
export const KEPT_FOR = 90 * DAY

const FOUND: readonly Reconciled[] = ['same', 'changed', 'failed']

/** What is done about billing without being asked. Where nothing can be bought, what waits for the provider goes on waiting. */
export function billingJobs(parts: Parts): readonly PeriodicJob[] {
  const { database, payments, metrics } = parts
  const expire: PeriodicJob = {
    name: 'expire-billing-events',
    every: 6 * HOUR,
    run: (signal) => removeByAge(parts, (now) => removeOldEvents(database, now, signal)),
  }
  measureRemovals(metrics, database)
  if (payments === null) return [expire]
  const reconciled = new Counter({
    name: 'billing_reconciled_total',
    help: 'Customers about whom the payment provider was asked unprompted, by how they were found',
    labelNames: ['found'],
    registers: [metrics],
  })
  for (const found of FOUND) reconciled.inc({ found }, 0)
  const asking = { ...parts, payments }
  return [
    expire,
    { name: 'remove-billing-customers', every: MINUTE, run: (signal) => removeCustomers(asking, signal) },
    {
      name: 'reconcile-billing',
      // Each time those whose day is over.
      every: HOUR,
      run: (signal) => reconcile(asking, (found) => reconciled.inc({ found }), signal),
    },
  ]
}

/** @param now milliseconds since 1970 */
export async function removeOldEvents({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  await removeInBatches(orm, billing_events, lt(billing_events.received_at, new Date(now - KEPT_FOR)), { signal })
}

function measureRemovals(metrics: Registry, { orm }: Database): void {
  const waiting: Gauge = new Gauge({
    name: 'billing_removals_waiting',
    help: 'Customers of deleted accounts that the payment provider has not removed yet',
    registers: [metrics],
    // Without the database nobody knows; what else is measured is wanted then more than ever.
    collect: async (): Promise<void> => {
      waiting.set(await orm.$count(billing_removals).catch(() => NaN))
    },
  })
}
