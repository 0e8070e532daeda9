import type { Engine } from './engine'
import type { EngineReply, EngineRequest } from './protocol'

/** Does what a page asks and tells it so through `reply`; resolves when all is done, and never rejects. */
export async function answerPage(
  engine: Engine,
  request: EngineRequest,
  reply: (reply: EngineReply) => void,
): Promise<void> {
  reply({ type: 'accepted' })
  try {
    switch (request.type) {
      case 'sync':
        return reply({ type: 'synced', nextDueAt: await engine.sync(request.reason) })
      case 'history':
        await engine.history(request.coin, request.period)
        return reply({ type: 'fetched' })
    }
  } catch (error) {
    reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}
