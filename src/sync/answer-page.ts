import type { Engine } from './engine'
import type { EngineReply, EngineRequest } from './protocol'

/** Milliseconds between two signs of life; a page takes a host that has been silent for longer for stopped. */
const PULSE = 20_000

/** Does what a page asks and tells it so through `reply`; resolves when all is done, and never rejects. */
export async function answerPage(
  engine: Engine,
  request: EngineRequest,
  reply: (reply: EngineReply) => void,
): Promise<void> {
  reply({ type: 'accepted' })
  const pulse = setInterval(() => reply({ type: 'accepted' }), PULSE)
  try {
    switch (request.type) {
      case 'sync':
        return reply({ type: 'synced', nextDueAt: await engine.sync(request.reason) })
      case 'history':
        await engine.history(request.coin, request.period)
        return reply({ type: 'fetched' })
    }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    reply({ type: 'failed', name, message })
  } finally {
    clearInterval(pulse)
  }
}
