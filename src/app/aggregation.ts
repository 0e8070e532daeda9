import type { WorkerApi } from '../../workers/api'

const FIRST_RUN = 5_000
const INTERVAL = 5 * 60_000

/**
 * Folds live ticks into history 5 s after the start and every 5 min while the tab is visible. Several tabs may do it at
 * once: the same ticks give the same levels.
 */
export function keepAggregating(worker: () => WorkerApi): void {
  const run = () => {
    if (document.visibilityState !== 'visible') return
    worker().aggregate(Date.now()).catch(reportError)
  }
  setTimeout(run, FIRST_RUN)
  setInterval(run, INTERVAL)
}
