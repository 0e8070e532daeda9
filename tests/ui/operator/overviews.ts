import type { Overview } from '../../../src/contract/admin'
import { START } from '../support/local-app'

export const at = (msBefore: number): string => new Date(START - msBefore).toISOString()

type Parts = {
  readonly [K in keyof Overview]?: NonNullable<Overview[K]> extends object
    ? Partial<NonNullable<Overview[K]>>
    : Overview[K]
}

/** A healthy server's overview at `START`, changed by the given fields. */
export const overviewOf = ({
  accounts,
  market,
  alerts,
  queues,
  billing,
  storage,
  retention,
}: Parts = {}): Overview => ({
  version: '1.0.0',
  at: at(0),
  accounts: { users: 1234, premium: 56, guests: 789, widgets: 4321, armed_sides: 17, ...accounts },
  market: {
    source: 'coingecko',
    newest_price_at: at(125_000),
    coins_priced: 500,
    coins_watched: 42,
    provider_calls: 6000,
    provider_budget: 10_000,
    ...market,
  },
  alerts: { crossings: 31, sent: 29, undeliverable: 2, median_seconds: 1.25, ...alerts },
  queues: { crossings: 1, deliveries: 2, mails: 3, billing_removals: 4, late_jobs: [], failing_jobs: [], ...queues },
  storage: {
    engine: 'pglite',
    database_bytes: 312_400_000,
    log_bytes: 67_100_000,
    disk_bytes: 100_000_000_000,
    disk_free_bytes: 76_000_000_000,
    last_backup_at: at(7_200_000),
    backup_every_seconds: 86_400,
    ...storage,
  },
  retention: retention === undefined ? null : { is_doubted: false, held_until: null, would_remove: {}, ...retention },
  billing: { available: true, sandbox: false, paying: 50, granted: 6, newest_event_at: at(3_600_000), ...billing },
})
