import { routes } from '../contract/routes'
import type { CallInput, CallRoute } from '../db/call'
import { isSyncReason } from '../domain/sync-reason'
import { withTimeLimit } from '../domain/waits'
import type { Engine } from './engine'
import { browserTimer } from './in-time'
import { type EngineReply, type EngineRequest, kindOf, PROCEED, sentError } from './protocol'

/** Milliseconds between two `accepted` replies; a page takes a worker that is silent for longer for stopped. */
const PULSE = 20_000
/** Milliseconds for a page to reply that it still waits; a closed page never does. */
const PROCEED_TIMEOUT_MS = 10_000

/** Null for other messages, such as those of another version of the app. */
export function readRequest(data: unknown): EngineRequest | null {
  const { reason, route, input } = (data ?? {}) as Partial<Record<string, unknown>>
  switch (kindOf(data)) {
    case 'sync':
      return isSyncReason(reason) ? { kind: 'sync', reason } : null
    case 'call':
      return typeof route === 'string' && Object.hasOwn(routes, route) && typeof input === 'object' && input !== null
        ? { kind: 'call', route: route as CallRoute, input: input as CallInput<CallRoute> }
        : null
    default:
      return null
  }
}

/** The page at the other end of a request's port. */
interface PagePort {
  readonly reply: (reply: EngineReply) => void
  /** Resolves with true if the page, after `accepted`, still wants its request done here. */
  readonly stillWaits: () => Promise<boolean>
}

export function pagePort(port: MessagePort): PagePort {
  const proceed = new Promise<true>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent) => {
      if (kindOf(data) === PROCEED.kind) resolve(true)
    })
  })
  port.start()
  return {
    reply: (reply) => port.postMessage(reply),
    stillWaits: () => withTimeLimit(browserTimer, PROCEED_TIMEOUT_MS, proceed, () => false),
  }
}

/** Performs a page's request and replies; never rejects. */
export async function answerPage(
  engine: Engine,
  request: EngineRequest,
  { reply, stillWaits }: PagePort,
): Promise<void> {
  reply({ kind: 'accepted' })
  const pulse = setInterval(() => reply({ kind: 'accepted' }), PULSE)
  try {
    switch (request.kind) {
      case 'sync':
        return reply({ kind: 'synced', nextDueAt: await engine.sync(request.reason) })
      case 'call':
        if (!(await stillWaits())) return
        return reply({ kind: 'called', result: await engine.call(request.route, request.input) })
    }
  } catch (error) {
    reply({ kind: 'failed', ...sentError(error) })
  } finally {
    clearInterval(pulse)
  }
}
