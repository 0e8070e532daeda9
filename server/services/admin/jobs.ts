import { DAY, MINUTE } from '../../../src/domain/granularity'
import type { AppParts } from '../../app-parts'
import type { PeriodicJob } from '../../jobs/periodic'
import { removeByAge } from '../retention/retention-time'
import { endGrants } from './end-grants'
import { removeOldDeeds } from './remove-old-deeds'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'logger'>

/** What operators need not do themselves. */
export const adminJobs = (parts: Parts): readonly PeriodicJob[] => [
  {
    name: 'end-grants',
    every: MINUTE,
    run: async (signal) => {
      const ended = await endGrants(parts, parts.clock(), signal)
      if (ended > 0) parts.logger?.info({ ended }, 'grants of Premium are over')
    },
  },
  {
    name: 'expire-audit-log',
    every: DAY,
    run: (signal) => removeByAge(parts, (now) => removeOldDeeds(parts.database, now, signal)),
  },
]
