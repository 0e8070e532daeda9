import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '../../src/domain/granularity'
import { owners } from '../db/schema/users'
import { outdatedAccounts, removeAccounts, removeUnverifiedAccounts } from '../services/accounts/account-deletion'
import { type RemovalDeps, removalJob, watchClock } from '../services/removal-job'
import {
  outdatedOf,
  REMOVALS,
  removeGuests,
  removeOutdated,
  removeUnusedPairs,
  unseenGuests,
} from '../services/retention'
import { removeSurplusKeys } from '../services/operations'
import { outdatedSessions, removeOldTokens, removeSurplusTokens } from '../services/sessions/refresh-token'
import type { PeriodicJob } from './periodic'

/** Jobs that remove rows whose time is over, and keep the database's statistics true. */
export function housekeeping(deps: RemovalDeps): readonly PeriodicJob[] {
  const { database, logger } = deps
  const log = (removed: number, message: string) => {
    if (removed > 0) logger?.info({ removed }, message)
  }
  const everywhere: PeriodicJob[] = [
    watchClock(deps),
    ...REMOVALS.map((name) =>
      removalJob(deps, name, {
        every: 6 * HOUR,
        outdated: (now) => [
          ...(name === 'expire-sessions' ? outdatedSessions(database.orm, now) : []),
          ...outdatedOf(name, now),
        ],
        remove: async (now, signal) => {
          if (name === 'expire-sessions') await removeOldTokens(database, now, signal)
          await removeOutdated(database, name, now, signal)
        },
      }),
    ),
    removalJob(deps, 'delete-accounts', {
      every: HOUR,
      outdated: (now) => outdatedAccounts(database, now),
      remove: async (now, signal) => {
        log(await removeAccounts(database, now, signal), 'accounts were deleted as their owners had asked')
        log(await removeUnverifiedAccounts(database, now, signal), 'accounts were removed that nobody had verified')
      },
    }),
    removalJob(deps, 'remove-guests', {
      every: HOUR,
      outdated: (now) => [[owners, unseenGuests(database.orm, now)]],
      remove: async (now, signal) =>
        log(await removeGuests(database, now, signal), 'guests were removed who had not been seen for long'),
    }),
    { name: 'remove-surplus-keys', every: DAY, run: (signal) => removeSurplusKeys(database, undefined, signal) },
    { name: 'remove-surplus-tokens', every: DAY, run: (signal) => removeSurplusTokens(database, undefined, signal) },
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
