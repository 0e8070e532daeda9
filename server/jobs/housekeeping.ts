import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '../../src/domain/granularity'
import type { AppDeps } from '../app-deps'
import { removeAccounts, removeUnverifiedAccounts } from '../services/accounts/account-deletion'
import { removeUnusedPairs } from '../services/widgets/mutations'
import { removeOldAddressCounts } from '../services/address-limits'
import { removeOldAttempts } from '../services/attempts'
import { removeOldFeedback } from '../services/feedback/feedback'
import { removeExpiredOperations, removeSurplusKeys } from '../services/operations'
import { removeOldChallenges } from '../services/passkeys/passkeys'
import { removeByAge, removeGuests } from '../services/retention'
import { removeOldDevices } from '../services/sessions/devices'
import { removeOldTokens } from '../services/sessions/refresh-token'
import type { PeriodicJob } from './periodic'

type HousekeepingDeps = Pick<AppDeps, 'database' | 'clock' | 'logger'>

/** Jobs that remove rows whose time is over, and keep the database's statistics true. */
export function housekeeping(deps: HousekeepingDeps): readonly PeriodicJob[] {
  const { database, logger } = deps
  const byAge = (
    name: string,
    every: number,
    remove: (now: number, signal: AbortSignal) => Promise<void>,
  ): PeriodicJob => ({ name, every, run: (signal) => removeByAge(deps, (now) => remove(now, signal)) })

  const removal = [
    byAge('expire-operations', 6 * HOUR, (now, signal) => removeExpiredOperations(database, now, signal)),
    byAge('expire-sessions', 6 * HOUR, async (now, signal) => {
      await removeOldTokens(database, now, signal)
      await removeOldDevices(database, now, signal)
      await removeOldAttempts(database, now, signal)
      await removeOldAddressCounts(database, now, signal)
      await removeOldChallenges(database, now)
    }),
    byAge('expire-feedback', 6 * HOUR, (now, signal) => removeOldFeedback(database, now, signal)),
    byAge('delete-accounts', HOUR, async (now, signal) => {
      const removed = await removeAccounts(database, now, signal)
      if (removed > 0) logger?.info({ removed }, 'accounts were deleted as their owners had asked')
      const unverified = await removeUnverifiedAccounts(database, now, signal)
      if (unverified > 0) logger?.info({ removed: unverified }, 'accounts were removed that nobody had verified')
    }),
    byAge('remove-guests', HOUR, async (now, signal) => {
      const removed = await removeGuests(database, now, signal)
      if (removed > 0) logger?.info({ removed }, 'guests were removed who had not been seen for long')
    }),
  ]
  const surplusKeys: PeriodicJob = {
    name: 'remove-surplus-keys',
    every: DAY,
    run: (signal) => removeSurplusKeys(database, undefined, signal),
  }
  const pairs: PeriodicJob = {
    name: 'remove-unused-pairs',
    every: 6 * HOUR,
    run: async (signal) => {
      const removed = await removeUnusedPairs(database, signal)
      if (removed > 0) logger?.info({ removed }, 'pairs that no widget stands for were removed')
    },
  }
  // Autovacuum never runs in the embedded database; a server of its own does this by itself.
  const vacuum: PeriodicJob = {
    name: 'vacuum',
    every: 6 * HOUR,
    run: async () => {
      await database.orm.execute(sql`VACUUM (ANALYZE)`)
    },
  }
  const everywhere = [...removal, surplusKeys, pairs]
  return database.engine === 'pglite' ? [...everywhere, vacuum] : everywhere
}
