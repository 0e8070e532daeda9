import { DAY, MINUTE } from '../../../src/domain/granularity'
import type { AppDeps } from '../../app-deps'
import type { PeriodicJob } from '../../jobs/periodic'
import { removeByAge } from '../retention'
import { endGrants } from './grants'
import { purgeAuditLog } from './audit'

type AdminJobsDeps = Pick<AppDeps, 'database' | 'env' | 'clock' | 'logger'>

/** Periodic jobs of the admin area. */
export const adminJobs = (deps: AdminJobsDeps): readonly PeriodicJob[] => [
  {
    name: 'end-grants',
    every: MINUTE,
    run: async (signal) => {
      const ended = await endGrants(deps, deps.clock(), signal)
      if (ended > 0) deps.logger?.info({ ended }, 'grants of Premium are over')
    },
  },
  {
    name: 'expire-audit-log',
    every: DAY,
    run: (signal) => removeByAge(deps, (now) => purgeAuditLog(deps.database, now, signal)),
  },
]
