import type { CallInput, CallResult, CallRoute, CallValue } from '../../db/call'
import type { LocalDatabase } from '../../db/database'
import { MINUTE } from '../../domain/granularity'
import type { Engine } from '../../sync/engine'
import { type EngineReply, type EngineRequest, PROCEED, SyncFailed } from '../../sync/protocol'
import { loadOnce } from '../lazy-services'

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
