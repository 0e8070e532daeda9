import { SYNC_REASONS, type SyncReason } from './reason'

/** Of several reasons, the one that asks for most. */
const STRONGEST_FIRST: readonly SyncReason[] = ['online', 'background', 'start', 'visible', 'periodic']
const strongest = (reasons: ReadonlySet<SyncReason>): SyncReason =>
  [...STRONGEST_FIRST, ...SYNC_REASONS].find((reason) => reasons.has(reason))!

/**
 * Runs `work` one at a time: what is asked for while it runs is done once more, afterwards, for everyone who asked.
 * Each promise ends with a run that began after it was asked for.
 */
export function coalesce(work: (reason: SyncReason) => Promise<void>): (reason: SyncReason) => Promise<void> {
  let running: Promise<void> | null = null
  let queued: { readonly reasons: Set<SyncReason>; readonly run: Promise<void> } | null = null

  const start = (reason: SyncReason): Promise<void> => {
    const run = work(reason).finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return (reason) => {
    if (queued === null) {
      if (running === null) return start(reason)
      const reasons = new Set<SyncReason>()
      const next = (): Promise<void> => {
        queued = null
        return start(strongest(reasons))
      }
      queued = { reasons, run: running.then(next, next) }
    }
    queued.reasons.add(reason)
    return queued.run
  }
}
