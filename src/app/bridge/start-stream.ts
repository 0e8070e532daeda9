import { MINUTE } from '../../domain/granularity'
import type { SyncReason } from '../../domain/sync-reason'
import { failure, type PageSign, STREAM_REQUEST, type StreamSign } from '../../sync/protocol'
import type { SupervisedWorker } from '../supervised-worker'

/** Milliseconds for which the first screen has the network to itself, and until another web worker takes the place of one that ended. */
const STREAM_DELAY = 500
const STREAM_RETRY = MINUTE

interface StreamOptions {
  readonly worker: () => SupervisedWorker
  readonly ask: (reason: SyncReason) => void
  readonly onFailure: (error: unknown) => void
}

/** Has the web worker keep the stream while this tab is visible, once the first screen has had its turn. */
export function startStream(options: StreamOptions, delay = STREAM_DELAY): void {
  const ended = new AbortController()
  const begin = (): void => {
    options
      .worker()
      .use((thread) => accompany(thread, options, ended.signal))
      .catch((error: unknown) => {
        ended.abort()
        options.onFailure(error)
        startStream(options, STREAM_RETRY)
      })
  }
  setTimeout(begin, delay)
}

/** Tells the stream of all that only a page sees; rejects if the web worker could not begin. */
function accompany(thread: Worker, { ask, onFailure }: StreamOptions, signal: AbortSignal): Promise<never> {
  const { port1: port, port2: theirs } = new MessageChannel()
  const tell = (sign: PageSign) => port.postMessage(sign)
  const look = () => tell(document.visibilityState === 'visible' ? 'visible' : 'hidden')
  document.addEventListener('visibilitychange', look, { signal })
  // The connection of the network before is dead, and may not say so for minutes.
  window.addEventListener('online', () => tell('online'), { signal })
  return new Promise((_, reject) => {
    port.addEventListener('message', ({ data }: MessageEvent<StreamSign>) => {
      switch (data.kind) {
        case 'polling':
          return ask('due')
        case 'problem':
          return onFailure(failure(data))
        case 'failed':
          return reject(failure(data))
      }
    })
    port.start()
    thread.postMessage(STREAM_REQUEST, [theirs])
    look()
  })
}
