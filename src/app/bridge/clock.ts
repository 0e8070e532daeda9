import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../db/database'
import { readWork, type Work } from '../../db/queries/waiting'
import type { SyncReason } from '../../sync/reason'
import { SyncFailed } from '../../sync/sync-failed'

/** Milliseconds between two ticks of a visible page. */
const TICK = 75_000
/** Milliseconds; nothing that is due at once is asked for more often. */
const SHORTEST_TIMER = 100
/** Milliseconds; what is further away is found by a tick anyway. */
const LONGEST_TIMER = 5 * 60_000

export interface ClockPorts {
  readonly db: LocalDatabase
  /** Resolves with the time (ms) at which something is due next, null: nothing; a SyncFailed says it as well. */
  readonly sync: (reason: SyncReason) => Promise<number | null>
  /** Something waits that did not before. */
  readonly onWaiting: () => void
  readonly onFailure: (error: unknown) => void
}

/**
 * The page is the clock, whoever runs the engine: it asks at the start, after a change, when the network or the user
 * comes back, when something is due, and every 75 s; a hidden page leaves that to the visible ones.
 */
export function startClock({ db, sync, onWaiting, onFailure }: ClockPorts): (reason: SyncReason) => void {
  let due: ReturnType<typeof setTimeout> | undefined
  const ask = (reason: SyncReason): void => {
    sync(reason).then(setTimer, (error: unknown) => {
      if (!(error instanceof SyncFailed)) return onFailure(error)
      setTimer(error.nextDueAt)
      onFailure(error.cause)
    })
  }
  const setTimer = (at: number | null): void => {
    clearTimeout(due)
    if (at === null) return
    const wait = Math.min(LONGEST_TIMER, Math.max(SHORTEST_TIMER, at - Date.now()))
    due = setTimeout(() => whileVisible('due'), wait)
  }
  const whileVisible = (reason: SyncReason): void => {
    if (document.visibilityState === 'visible') ask(reason)
  }

  window.addEventListener('online', () => ask('online'))
  document.addEventListener('visibilitychange', () => whileVisible('visible'))
  setInterval(() => whileVisible('tick'), TICK)
  followWork(db, {
    onWaiting: () => {
      onWaiting()
      whileVisible('command')
    },
    onWish: () => whileVisible('command'),
  })
  return ask
}

interface WorkListener {
  /** Something waits that did not before, whichever tab it was made in. */
  readonly onWaiting: () => void
  /**
   * Somebody has signed in or out, and what is theirs is asked for; or an answer has shown that what is known is old, be
   * it a refusal or another tier.
   */
  readonly onWish: () => void
}

function followWork(db: LocalDatabase, { onWaiting, onWish }: WorkListener): void {
  let known: Work = { owner: null, waiting: [], wanted: false }
  liveQuery(() => readWork(db)).subscribe({
    next(work) {
      const isNew = work.waiting.some((one) => !known.waiting.includes(one))
      // What was there before the first look is asked for at the start anyway.
      const isOther = known.owner !== null && work.owner !== known.owner
      const isWanted = known.owner !== null && work.wanted && !known.wanted
      known = work
      if (isNew) onWaiting()
      else if (isOther || isWanted) onWish()
    },
    error: reportError,
  })
}
