import { DAY, HOUR } from '../../src/domain/granularity'
import type { AppParts } from '../app-parts'
import { removeAccounts, removeUnverifiedAccounts } from '../services/accounts/remove-accounts'
import { removeUnusedPairs } from '../services/alerts/remove-unused-pairs'
import { removeOldAddressCounts } from '../services/address-limits'
import { removeOldAttempts } from '../services/attempts'
import { removeOldFeedback } from '../services/feedback/remove-old-feedback'
import { removeExpiredOperations, removeSurplusKeys } from '../services/operations'
import { removeOldChallenges } from '../services/passkeys/challenges'
import { removeGuests } from '../services/retention/remove-guests'
import { removeByAge } from '../services/retention/retention-time'
import { removeOldDevices } from '../services/sessions/known-devices'
import { removeOldTokens } from '../services/sessions/remove-old-tokens'
import type { PeriodicJob } from './periodic'

type Parts = Pick<AppParts, 'database' | 'clock' | 'logger'>

/** What removes what has had its time, and keeps the database's statistics true. */
export function housekeeping(parts: Parts): readonly PeriodicJob[] {
  const { database, logger } = parts
  const byAge = (
    name: string,
    every: number,
    remove: (now: number, signal: AbortSignal) => Promise<void>,
  ): PeriodicJob => ({ name, every, run: (signal) => removeByAge(parts, (now) => remove(now, signal)) })

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
      await database.pool.query('VACUUM (ANALYZE)')
    },
  }
  const everywhere = [...removal, surplusKeys, pairs]
  return database.engine === 'pglite' ? [...everywhere, vacuum] : everywhere
}
