import { HOUR } from '../../src/domain/granularity'
import type { AppParts } from '../app-parts'
import { removeAccounts } from '../services/accounts/remove-accounts'
import { removeOldAddressCounts } from '../services/address-limits'
import { removeOldAttempts } from '../services/attempts'
import { removeExpiredOperations } from '../services/operations'
import { removeOldTokens } from '../services/sessions/remove-old-tokens'
import type { PeriodicJob } from './periodic'

type Parts = Pick<AppParts, 'database' | 'clock' | 'logger'>

/** What removes what has had its time, and keeps the database's statistics true. */
export function housekeeping({ database, clock, logger }: Parts): readonly PeriodicJob[] {
  const expire: PeriodicJob = {
    name: 'expire-operations',
    every: 6 * HOUR,
    run: () => removeExpiredOperations(database, clock()),
  }
  const endSessions: PeriodicJob = {
    name: 'expire-sessions',
    every: 6 * HOUR,
    run: async () => {
      await removeOldTokens(database, clock())
      await removeOldAttempts(database, clock())
      await removeOldAddressCounts(database, clock())
    },
  }
  const deletions: PeriodicJob = {
    name: 'delete-accounts',
    every: HOUR,
    run: async (signal) => {
      const removed = await removeAccounts(database, clock(), signal)
      if (removed > 0) logger?.info({ removed }, 'accounts were deleted as their owners had asked')
    },
  }
  // Autovacuum never runs in the embedded database; a server of its own does this by itself.
  const vacuum: PeriodicJob = {
    name: 'vacuum',
    every: 6 * HOUR,
    run: async () => {
      await database.pool.query('VACUUM (ANALYZE)')
    },
  }
  const everywhere = [expire, endSessions, deletions]
  return database.engine === 'pglite' ? [...everywhere, vacuum] : everywhere
}
