import { startRounds } from '../../waits'
import { deliverAlerts, PUSH_INTERVAL_MS, type PushDeps } from './deliver'

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
