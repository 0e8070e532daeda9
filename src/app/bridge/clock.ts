import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../db/database'
import { readWork, type Work } from '../../db/queries/waiting'
import { MINUTE } from '../../domain/granularity'
import { POLL_INTERVAL } from '../../domain/live-prices'
import type { SyncReason } from '../../domain/sync-reason'
import { SyncFailed } from '../../sync/protocol'

/** Milliseconds that a press has the processor to itself until it is painted, before the engine sends what it has stored. */
const PAINT_TIME = 100
/** Milliseconds between two requests for work that is due at once. */
const SHORTEST_TIMER = 100
/** Milliseconds; a tick finds work that is due later. */
const LONGEST_TIMER = 5 * MINUTE

interface ClockPorts {
  readonly db: LocalDatabase
  /** Resolves with the time (ms) of the next due work, null: none; a SyncFailed carries that time as well. */
  readonly sync: (reason: SyncReason) => Promise<number | null>
  /** A new entry waits in the outbox. */
  readonly onWaiting: () => void
  readonly onFailure: (error: unknown) => void
}

/**
 * The page is the clock, even if the service worker runs the engine: the page asks at the start, after a change, when the
 * network or the user comes back, when work is due, and every 75 s. A hidden page leaves all but the network to visible ones.
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
  setInterval(() => whileVisible('tick'), POLL_INTERVAL)
  let soon: ReturnType<typeof setTimeout> | undefined
  /** All requests of one press are one. */
  const askSoon = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined
      ask('command')
    }, PAINT_TIME)
  }
  followWork(db, {
    onWaiting: () => {
      setTimeout(onWaiting, PAINT_TIME)
      if (document.visibilityState === 'visible') askSoon()
    },
    onPullDue: () => whileVisible('command'),
  })
  return (reason) => (reason === 'command' ? askSoon() : ask(reason))
}

interface WorkListener {
  /** A new entry waits, from any tab. */
  readonly onWaiting: () => void
  /** A pull is due: the user has signed in or out, or an answer (a refusal, another tier) has shown that the rows are old. */
  readonly onPullDue: () => void
}

function followWork(db: LocalDatabase, { onWaiting, onPullDue }: WorkListener): void {
  let known: Work = { owner: null, waiting: [], wanted: null }
  liveQuery(() => readWork(db)).subscribe({
    next(work) {
      const isNew = work.waiting.some((one) => !known.waiting.includes(one))
      // The sync at the start covers the first result of this query.
      const isOther = known.owner !== null && work.owner !== known.owner
      const isWanted = known.owner !== null && work.wanted !== null && work.wanted !== known.wanted
      known = work
      if (isNew) onWaiting()
      else if (isOther || isWanted) onPullDue()
    },
    error: reportError,
  })
}
