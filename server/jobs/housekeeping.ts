import { HOUR } from '../../src/domain/granularity'
import type { Database } from '../db/open'
import { removeExpiredOperations } from '../services/operations'
import type { PeriodicJob } from './periodic'

/** What keeps the database small and its statistics true. */
export function housekeeping(database: Database, clock: () => number): readonly PeriodicJob[] {
  const expire: PeriodicJob = {
    name: 'expire-operations',
    every: 6 * HOUR,
    run: () => removeExpiredOperations(database, clock()),
  }
  // Autovacuum never runs in the embedded database; a server of its own does this by itself.
  const vacuum: PeriodicJob = {
    name: 'vacuum',
    every: 6 * HOUR,
    run: async () => {
      await database.pool.query('VACUUM (ANALYZE)')
    },
  }
  return database.engine === 'pglite' ? [expire, vacuum] : [expire]
}
