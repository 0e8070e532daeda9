import type { Engine } from './engine'
import type { EngineReply, EngineRequest } from './protocol'
import { SyncFailed } from './sync-failed'

/** Milliseconds between two signs of life; a page takes a host that has been silent for longer for stopped. */
const PULSE = 20_000

/** The page that asks, as whoever runs the engine sees it. */
export interface AskingPage {
  readonly reply: (reply: EngineReply) => void
  /** Resolves with whether the page, having heard that its request was accepted, still wants it done here. */
  readonly wants: () => Promise<boolean>
}

/** Does what a page asks and tells it so; resolves when all is done, and never rejects. */
export async function answerPage(engine: Engine, request: EngineRequest, page: AskingPage): Promise<void> {
  const { reply, wants } = page
  reply({ type: 'accepted' })
  const pulse = setInterval(() => reply({ type: 'accepted' }), PULSE)
  try {
    switch (request.type) {
      case 'sync':
        return reply({ type: 'synced', nextDueAt: await engine.sync(request.reason) })
      case 'history':
        await engine.history(request.coin, request.period)
        return reply({ type: 'fetched' })
      case 'account':
        if (!(await wants())) return
        return reply({ type: 'answered', result: await engine.account(request.request) })
      case 'question':
        if (!(await wants())) return
        return reply({ type: 'replied', value: await engine.ask(request.question) })
    }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    reply({ type: 'failed', name, message, ...(error instanceof SyncFailed && { nextDueAt: error.nextDueAt }) })
  } finally {
    clearInterval(pulse)
  }
}
