import { HOUR } from '../../../src/domain/granularity'
import type { PeriodicJob } from '../../jobs/periodic'
import { deliverAlerts, type PushParts, STEP } from './deliver'
import { removeOldAlerts } from './remove-old'

export interface PushWorker {
  /** Waits for the messages that are under way. */
  stop(): Promise<void>
}

/** Looks for crossings and due deliveries in fixed steps. */
export function startPushWorker(parts: PushParts): PushWorker {
  let stopped = false
  let round: Promise<void> | null = null
  const timer = setInterval(() => {
    round ??= deliverAlerts(parts, () => stopped)
      .catch((error: unknown) => parts.logger?.error({ err: error }, 'alerts could not be looked for'))
      .finally(() => {
        round = null
      })
  }, STEP)
  return {
    stop: async () => {
      clearInterval(timer)
      stopped = true
      await round
      parts.sender.close()
    },
  }
}

/** What alerts leave behind in the course of time. */
export const pushJobs = ({ database, clock }: Pick<PushParts, 'database' | 'clock'>): readonly PeriodicJob[] => [
  { name: 'remove-old-alerts', every: 6 * HOUR, run: () => removeOldAlerts(database, clock()) },
]
