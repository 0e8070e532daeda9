import type { CallInput, CallResult, CallRoute, CallValue } from '../../db/call'
import { MINUTE } from '../../domain/granularity'
import type { Engine } from '../../sync/engine'
import { type EngineReply, type EngineRequest, failure, PROCEED } from '../../sync/protocol'

/** Milliseconds within which an active service worker wakes and accepts the request. Decision 0052. */
const HANDSHAKE_TIMEOUT_MS = 4_000
/** Milliseconds of silence after which the page gives up a request: the browser stopped the worker in the middle. */
export const SILENCE_TIMEOUT_MS = MINUTE

/** The worker did not accept the request and did nothing, so another one may do the work. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable'
}

type Ask = (request: EngineRequest) => Promise<EngineReply>

/**
 * Asks the service worker, and the web worker where no service worker is active or accepts the request. The next request
 * asks a service worker again that is still installing or was stopped: the locks keep two engines from getting in each
 * other's way.
 * @param serviceWorker resolves with null while none is active
 */
export const serviceWorkerFirst =
  (serviceWorker: () => Promise<ServiceWorker | null>, webWorker: Ask): Ask =>
  async (request) => {
    const active = await serviceWorker()
    if (active === null) return webWorker(request)
    try {
      return await askWorker(active, request, HANDSHAKE_TIMEOUT_MS)
    } catch (error) {
      if (error instanceof HostUnavailable) return webWorker(request)
      throw error
    }
  }

/** The engine behind requests and replies. */
export const engineVia = (ask: Ask): Engine => ({
  async sync(reason) {
    const reply = await ask({ kind: 'sync', reason })
    return reply.kind === 'synced' ? reply.nextDueAt : null
  },
  async call<R extends CallRoute>(route: R, input: CallInput<R>): Promise<CallResult<CallValue<R>>> {
    const reply = await ask({ kind: 'call', route, input })
    if (reply.kind === 'called') return reply.result as CallResult<CallValue<R>>
    const message = 'Another version of the app answered. Reload and try again.'
    return { ok: false, status: 0, error_code: null, message }
  },
})

/**
 * One request and its last reply over a channel of its own.
 * @param patience milliseconds within which the worker accepts the request
 * @throws HostUnavailable if it does not
 */
export function askWorker(
  worker: Pick<ServiceWorker | Worker, 'postMessage'>,
  request: EngineRequest,
  patience: number,
): Promise<EngineReply> {
  const { port1: port, port2: theirs } = new MessageChannel()
  return new Promise<EngineReply>((resolve, reject) => {
    let accepted = false
    const unavailable = () => reject(new HostUnavailable('The background worker does not answer.'))
    let timer = setTimeout(unavailable, patience)
    port.addEventListener('message', ({ data }: MessageEvent<EngineReply>) => {
      clearTimeout(timer)
      if (data.kind === 'accepted') {
        if (!accepted) port.postMessage(PROCEED)
        accepted = true
        timer = setTimeout(() => reject(new Error('The background worker was stopped.')), SILENCE_TIMEOUT_MS)
      } else if (data.kind === 'failed') reject(failure(data))
      else resolve(data)
    })
    port.start()
    worker.postMessage(request, [theirs])
  }).finally(() => port.close())
}
