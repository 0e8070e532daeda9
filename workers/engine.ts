import type { LocalDatabase } from '../src/db/database'
import { answerPage, createEngine, pagePort, readRequest } from '../src/sync/engine'
import { browserEnv } from '../src/sync/env'
import { kindOf, type PageSign, sentError, STREAM_REQUEST, type StreamSign } from '../src/sync/protocol'
import { ownStream } from '../src/sync/stream/own-stream'
import type { Serve } from './requests'

/** The engine while no service worker runs it, and the page's stream. */
export function createHost(db: LocalDatabase): Serve {
  const env = browserEnv(db, location.origin)
  const engine = createEngine(env)

  const serveStream = (port: MessagePort): void => {
    const tell = (sign: StreamSign) => port.postMessage(sign)
    const see = ownStream({
      env,
      onPolling: () => tell({ kind: 'polling' }),
      onFailure: (error) => tell({ kind: 'problem', ...sentError(error) }),
    })
    port.addEventListener('message', ({ data }: MessageEvent<PageSign>) => see(data))
    port.start()
  }
  return (data, port) => {
    if (kindOf(data) === STREAM_REQUEST.kind) return serveStream(port)
    const request = readRequest(data)
    if (request !== null) void answerPage(engine, request, pagePort(port))
  }
}
