import { HOUR } from '../../../src/domain/granularity'
import type { JobsDeps, PeriodicJob } from '../../jobs/periodic'
import { startRounds } from '../../waits'
import { removalJob } from '../retention'
import { deliverAlerts, PUSH_INTERVAL_MS, type PushDeps, removeOldAlerts } from './deliver'

/** Looks for crossings and due deliveries in fixed steps. `stop` waits for the messages that are under way. */
export function startPushWorker(deps: PushDeps) {
  const rounds = startRounds(
    PUSH_INTERVAL_MS,
    (stopped) => deliverAlerts(deps, stopped),
    (error) => deps.logger?.error({ err: error }, 'alerts could not be looked for'),
  )
  return {
    stop: async (): Promise<void> => {
      await rounds.stop()
      deps.sender.close()
    },
  }
}

/** Jobs that remove old rows of alerts. */
export const pushJobs = (deps: JobsDeps): readonly PeriodicJob[] => [
  removalJob(deps, 'remove-old-alerts', 6 * HOUR, (now, signal) => removeOldAlerts(deps.database, now, signal)),
]
