import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '../../src/domain/granularity'
import { removeAccounts, removeUnverifiedAccounts } from '../services/accounts/account-deletion'
import { removalJob, REMOVALS, removeGuests, removeOutdated, removeUnusedPairs } from '../services/retention'
import { removeSurplusKeys } from '../services/operations'
import { removeOldTokens } from '../services/sessions/refresh-token'
import type { JobsDeps, PeriodicJob } from './periodic'

/** Jobs that remove rows whose time is over, and keep the database's statistics true. */
export function housekeeping(deps: JobsDeps): readonly PeriodicJob[] {
  const { database, logger } = deps
  const log = (removed: number, message: string) => {
    if (removed > 0) logger?.info({ removed }, message)
  }
  const everywhere: PeriodicJob[] = [
    ...REMOVALS.map((name) =>
      removalJob(deps, name, 6 * HOUR, async (now, signal) => {
        if (name === 'expire-sessions') await removeOldTokens(database, now, signal)
        await removeOutdated(database, name, now, signal)
      }),
    ),
    removalJob(deps, 'delete-accounts', HOUR, async (now, signal) => {
      log(await removeAccounts(database, now, signal), 'accounts were deleted as their owners had asked')
      log(await removeUnverifiedAccounts(database, now, signal), 'accounts were removed that nobody had verified')
    }),
    removalJob(deps, 'remove-guests', HOUR, async (now, signal) =>
      log(await removeGuests(database, now, signal), 'guests were removed who had not been seen for long'),
    ),
    { name: 'remove-surplus-keys', every: DAY, run: (signal) => removeSurplusKeys(database, undefined, signal) },
    {
      name: 'remove-unused-pairs',
      every: 6 * HOUR,
      run: async (signal) =>
        log(await removeUnusedPairs(database, signal), 'pairs that no widget stands for were removed'),
    },
  ]
  // Autovacuum never runs in the embedded database; a server of its own does this by itself.
  const vacuum = async () => void (await database.orm.execute(sql`VACUUM (ANALYZE)`))
  return database.engine === 'pglite' ? [...everywhere, { name: 'vacuum', every: 6 * HOUR, run: vacuum }] : everywhere
}
