import { startQueueRounds } from '../../waits'
import { deliverAlerts, PUSH_INTERVAL_MS, type PushDeps } from './deliver'
import { BROWSERS, untilDue } from './delivery-queue'

/**
 * Sends crossings as soon as this process has recorded them, and due deliveries. `stop` waits for the messages that are under
 * way.
 */
export function startPushWorker(deps: PushDeps) {
  const { database, clock, logger, sender } = deps
  const rounds = startQueueRounds(
    PUSH_INTERVAL_MS,
    async (stopped) => {
      await deliverAlerts(deps, stopped)
      return untilDue(database.orm, BROWSERS, clock())
    },
    (error) => logger?.error({ err: error }, 'alerts could not be looked for'),
  )
  const unsubscribe = database.changes.subscribe((changes) => {
    if (changes.some(({ kind }) => kind === 'alert')) rounds.notify()
  })
  return {
    stop: async (): Promise<void> => {
      unsubscribe()
      await rounds.stop()
      sender.close()
    },
  }
}
