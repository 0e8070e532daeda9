import type { AskFailure } from '../../db/account-request'
import type { QuestionKind, QuestionOf, Reply } from '../../db/question'
import { type EngineReply, type EngineRequest, GO } from '../../sync/protocol'
import { SyncFailed } from '../../sync/sync-failed'
import { type EngineHost, HostSilent } from './host'

/** Milliseconds within which a service worker that is there has woken and taken the request. */
const HANDSHAKE = 4_000
/** Milliseconds without a sign of life after which a request is given up: the worker was stopped in the middle. */
const PATIENCE = 60_000

const NOT_UNDERSTOOD: AskFailure = {
  ok: false,
  status: 0,
  error_code: null,
  message: 'Another version of the app answered. Reload and try again.',
}

/** The engine in the service worker; `worker` is null while there is none that is active. */
export function workerHost(worker: () => Promise<ServiceWorker | null>): EngineHost {
  const ask = async (request: EngineRequest): Promise<EngineReply> => {
    const active = await worker()
    if (active === null) throw new HostSilent('There is no active service worker.')
    return exchange(active, request)
  }
  return {
    async sync(reason) {
      const reply = await ask({ type: 'sync', reason })
      return reply.type === 'synced' ? reply.nextDueAt : null
    },
    async history(coin, period) {
      await ask({ type: 'history', coin, period })
    },
    async account(request) {
      const reply = await ask({ type: 'account', request })
      return reply.type === 'answered' ? reply.result : NOT_UNDERSTOOD
    },
    async ask<K extends QuestionKind>(question: QuestionOf<K>) {
      const reply = await ask({ type: 'question', question })
      return reply.type === 'replied' ? (reply.value as Reply<K>) : NOT_UNDERSTOOD
    },
  }
}

function failure({ name, message, nextDueAt }: Extract<EngineReply, { readonly type: 'failed' }>): Error {
  const error = Object.assign(new Error(message), { name })
  return nextDueAt === undefined ? error : new SyncFailed(error, nextDueAt)
}

/** One request and its last reply over a channel of its own. */
function exchange(worker: ServiceWorker, request: EngineRequest): Promise<EngineReply> {
  const { port1: port, port2: theirs } = new MessageChannel()
  return new Promise<EngineReply>((resolve, reject) => {
    let going = false
    let timer = setTimeout(() => reject(new HostSilent('The service worker does not answer.')), HANDSHAKE)
    port.addEventListener('message', ({ data }: MessageEvent<EngineReply>) => {
      clearTimeout(timer)
      if (data.type === 'accepted') {
        if (!going) port.postMessage(GO)
        going = true
        timer = setTimeout(() => reject(new Error('The service worker was stopped.')), PATIENCE)
      } else if (data.type === 'failed') reject(failure(data))
      else resolve(data)
    })
    port.start()
    worker.postMessage(request, [theirs])
  }).finally(() => port.close())
}
