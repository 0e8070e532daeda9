import { HOUR } from '../../../src/domain/granularity'
import type { PeriodicJob } from '../../jobs/periodic'
import { startRounds } from '../../jobs/rounds'
import { removeByAge } from '../retention/retention-time'
import { deliverAlerts, type PushParts, STEP } from './deliver'
import { removeOldAlerts } from './remove-old'

export interface PushWorker {
  /** Waits for the messages that are under way. */
  stop(): Promise<void>
}

/** Looks for crossings and due deliveries in fixed steps. */
export function startPushWorker(parts: PushParts): PushWorker {
  const rounds = startRounds(
    STEP,
    (stopped) => deliverAlerts(parts, stopped),
    (error) => parts.logger?.error({ err: error }, 'alerts could not be looked for'),
  )
  return {
    stop: async () => {
      await rounds.stop()
      parts.sender.close()
    },
  }
}

/** What alerts leave behind in the course of time. */
export const pushJobs = (parts: Pick<PushParts, 'database' | 'clock' | 'logger'>): readonly PeriodicJob[] => [
  {
    name: 'remove-old-alerts',
    every: 6 * HOUR,
    run: (signal) => removeByAge(parts, (now) => removeOldAlerts(parts.database, now, signal)),
  },
]
