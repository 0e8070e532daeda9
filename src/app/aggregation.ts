import type { WorkerApi } from '../../workers/api'

const FIRST_RUN = 5_000
const INTERVAL = 5 * 60_000

/**
 * Folds live ticks into history 5 s after the start and every 5 min; a tab that is hidden by then does it when it is
 * looked at again. Several tabs may do it at once: the same ticks give the same levels.
 */
export function keepAggregating(worker: () => WorkerApi, onFailure: (error: unknown) => void): void {
  let owed = false
  const run = () => {
    owed = document.visibilityState !== 'visible'
    if (!owed) worker().aggregate(Date.now()).catch(onFailure)
  }
  setTimeout(run, FIRST_RUN)
  setInterval(run, INTERVAL)
  document.addEventListener('visibilitychange', () => {
    if (owed) run()
  })
}
