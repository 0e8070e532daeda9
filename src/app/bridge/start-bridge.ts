import { liveQuery } from 'dexie'
import type { CallInput, CallResult, CallRoute, CallValue } from '../../db/call'
import type { LocalDatabase } from '../../db/database'
import { readWork, type Work } from '../../db/queries/waiting'
import { MINUTE } from '../../domain/granularity'
import { POLL_INTERVAL } from '../../domain/poll-interval'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineClient } from '../../state/services'
import type { Engine } from '../../sync/engine'
import { type EngineReply, type EngineRequest, PROCEED, readPageRequest, SHOWN, SyncFailed } from '../../sync/protocol'
import { loadOnce } from '../lazy-services'
import { showChart } from '../show-chart'
import { canRegister, registerBackgroundSync, registerPeriodicRefresh, registerWorker } from './registration'

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
  followWork(db, {
    onWaiting: () => {
      onWaiting()
      whileVisible('command')
    },
    onPullDue: () => whileVisible('command'),
  })
  return ask
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

export interface BridgeOptions {
  readonly db: LocalDatabase
  /** A new version of the app waits until the user agrees. */
  readonly onUpdateReady: () => void
  /** The engine failed in the background. */
  readonly onFailure: (error: unknown) => void
}

export interface Bridge extends EngineClient {
  /** The user agreed: the new version takes over and every tab reloads. */
  applyUpdate(): void
}

/**
 * The page's side of the engine: the page registers the service worker, which runs the engine, and is itself the clock.
 *
 *     page (clock) ── sync, call ──> service worker (engine) ──> API
 *          └───────── without a worker: the same engine, here ─────────┘
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
  startStream({ db, ask: requestSync, onFailure })
  return { requestSync, call: host.call, applyUpdate: () => registration?.applyUpdate() }
}

/** Milliseconds for which the first screen has the network to itself, and until the page asks again for code that did not come. */
const STREAM_DELAY = 500
const STREAM_RETRY = MINUTE

/** Opens the stream once the first screen has had its turn. */
function startStream({ db, ask, onFailure }: StreamPorts, delay = STREAM_DELAY): void {
  setTimeout(() => {
    import('./follow-stream').then(
      ({ followStream }) => followStream(db, { ask, onFailure }),
      (error: unknown) => {
        reportError(error)
        startStream({ db, ask, onFailure }, STREAM_RETRY)
      },
    )
  }, delay)
}

interface StreamPorts extends Pick<BridgeOptions, 'db' | 'onFailure'> {
  readonly ask: (reason: SyncReason) => void
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

/** Milliseconds within which an active service worker wakes and accepts the request. Decision 0052. */
const HANDSHAKE_TIMEOUT_MS = 4_000
/** Milliseconds of silence after which the page gives up a request: the browser stopped the worker in the middle. */
const SILENCE_TIMEOUT_MS = MINUTE

/** The service worker did not accept the request and did nothing, so the page's engine may do the work. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable'
}

/** An engine whose every method runs on the engine that `run` picks. */
const engineVia = (run: <T>(use: (engine: Engine) => Promise<T>) => Promise<T>): Engine => ({
  sync: (reason) => run((engine) => engine.sync(reason)),
  call: (route, input) => run((engine) => engine.call(route, input)),
})

/** The engine in the page itself, loaded at its first use. */
export function pageHost(db: LocalDatabase): Engine {
  const load = loadOnce(async () => (await import('./page-engine')).createPageEngine(db))
  return engineVia(async (use) => use(await load()))
}

/**
 * Asks the service worker, and the page if the worker does not accept the request. The next request asks a worker again that
 * is still installing or was stopped: the locks keep two engines from getting in each other's way.
 */
export const withFallback = (worker: Engine, page: Engine): Engine =>
  engineVia(async (use) => {
    try {
      return await use(worker)
    } catch (error) {
      if (error instanceof HostUnavailable) return use(page)
      throw error
    }
  })

/** The engine in the service worker. `worker` resolves with null while none is active. */
export function workerHost(worker: () => Promise<ServiceWorker | null>): Engine {
  const send = async (request: EngineRequest): Promise<EngineReply> => {
    const active = await worker()
    if (active === null) throw new HostUnavailable('There is no active service worker.')
    return exchange(active, request)
  }
  return {
    async sync(reason) {
      const reply = await send({ kind: 'sync', reason })
      return reply.kind === 'synced' ? reply.nextDueAt : null
    },
    async call<R extends CallRoute>(route: R, input: CallInput<R>): Promise<CallResult<CallValue<R>>> {
      const reply = await send({ kind: 'call', route, input })
      if (reply.kind === 'called') return reply.result as CallResult<CallValue<R>>
      const message = 'Another version of the app answered. Reload and try again.'
      return { ok: false, status: 0, error_code: null, message }
    },
  }
}

function failure({ name, message, nextDueAt }: Extract<EngineReply, { readonly kind: 'failed' }>): Error {
  const error = Object.assign(new Error(message), { name })
  return nextDueAt === undefined ? error : new SyncFailed(error, nextDueAt)
}

/** One request and its last reply over a channel of its own. */
function exchange(worker: ServiceWorker, request: EngineRequest): Promise<EngineReply> {
  const { port1: port, port2: theirs } = new MessageChannel()
  return new Promise<EngineReply>((resolve, reject) => {
    let accepted = false
    const unavailable = () => reject(new HostUnavailable('The service worker does not answer.'))
    let timer = setTimeout(unavailable, HANDSHAKE_TIMEOUT_MS)
    port.addEventListener('message', ({ data }: MessageEvent<EngineReply>) => {
      clearTimeout(timer)
      if (data.kind === 'accepted') {
        if (!accepted) port.postMessage(PROCEED)
        accepted = true
        timer = setTimeout(() => reject(new Error('The service worker was stopped.')), SILENCE_TIMEOUT_MS)
      } else if (data.kind === 'failed') reject(failure(data))
      else resolve(data)
    })
    port.start()
    worker.postMessage(request, [theirs])
  }).finally(() => port.close())
}
