import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../db/database'
import { readWork, type Work } from '../../db/queries/waiting'
import { MINUTE } from '../../domain/granularity'
import { POLL_INTERVAL } from '../../domain/live-prices'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineClient } from '../../state/services'
import { readPageRequest, SHOWN, SyncFailed } from '../../sync/protocol'
import { showChart } from '../show-chart'
import { pageHost, withFallback, workerHost } from './engine-hosts'
import { canRegister, registerBackgroundSync, registerPeriodicRefresh, registerWorker } from './registration'

/** Milliseconds; nothing that is due at once is asked for more often. */
const SHORTEST_TIMER = 100
/** Milliseconds; what is further away is found by a tick anyway. */
const LONGEST_TIMER = 5 * MINUTE

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
  setInterval(() => whileVisible('tick'), POLL_INTERVAL)
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
   * The user has signed in or out, and the engine pulls their rows; or an answer has shown that the rows are old, be
   * it a refusal or another tier.
   */
  readonly onWish: () => void
}

function followWork(db: LocalDatabase, { onWaiting, onWish }: WorkListener): void {
  let known: Work = { owner: null, waiting: [], wanted: false }
  liveQuery(() => readWork(db)).subscribe({
    next(work) {
      const isNew = work.waiting.some((one) => !known.waiting.includes(one))
      // The start pulls the rows that were there before the first look anyway.
      const isOther = known.owner !== null && work.owner !== known.owner
      const isWanted = known.owner !== null && work.wanted && !known.wanted
      known = work
      if (isNew) onWaiting()
      else if (isOther || isWanted) onWish()
    },
    error: reportError,
  })
}

export interface BridgeOptions {
  readonly db: LocalDatabase
  /** A new version of the app waits for the user's consent. */
  readonly onUpdateReady: () => void
  /** The engine failed at what nobody waits for. */
  readonly onFailure: (error: unknown) => void
}

export interface Bridge extends EngineClient {
  /** The user agreed: the new version takes over and every tab reloads. */
  applyUpdate(): void
}

/**
 * The page's side of the engine: it registers the service worker, which is the hands, and is itself the clock.
 *
 *     page (clock) ── sync, call ──> service worker (engine) ──> API
 *          └───────── where there is none: the same engine, here ──────┘
 */
export function startBridge({ db, onUpdateReady, onFailure }: BridgeOptions): Bridge {
  const registration = canRegister() ? registerWorker(onUpdateReady) : null
  const page = pageHost(db)
  const host = registration === null ? page : withFallback(workerHost(registration.worker), page)
  const requestSync = startClock({
    db,
    sync: (reason) => host.sync(reason),
    onWaiting: () => void registerBackgroundSync().catch(reportError),
    onFailure,
  })
  if (registration !== null) registerPeriodicRefresh().catch(reportError)
  openChartsOnRequest()
  return { requestSync, call: host.call, applyUpdate: () => registration?.applyUpdate() }
}

/** Shows a chart when the service worker asks for it, because the user has clicked a notification. */
export function openChartsOnRequest(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    const request = readPageRequest(data)
    if (request === null) return
    showChart(request.widget)
    ports[0]?.postMessage(SHOWN)
  })
}
