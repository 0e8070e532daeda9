import { Worker } from 'node:worker_threads'
import type { Answer, FromWorker, ToWorker, WorkerSetup } from './pglite-protocol'

export interface Thread {
  readonly ask: (message: ToWorker) => Promise<Answer>
  /** Settles when the thread ends without having been asked to. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

export interface ThreadOptions {
  /** A thread that was asked, and neither answers nor touches a file for this long, is ended. Milliseconds. */
  readonly silence: number
  /** Reports an error that did not end the thread. */
  readonly warn: (message: string) => void
}

/** The thread is looked at so many times until it counts as silent. */
const LOOKS = 12

/** Starts the thread of the embedded database, and waits until it can be asked. */
export async function startThread(
  file: URL,
  setup: Omit<WorkerSetup, 'progress'>,
  { silence, warn }: ThreadOptions,
): Promise<Thread> {
  const progress = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const worker = new Worker(file, { workerData: { ...setup, progress } satisfies WorkerSetup })
  const waiting: ((answer: Answer) => void)[] = []
  let closing = false
  let cause = new Error('The embedded database stopped')
  let ended = false
  let looking: NodeJS.Timeout | undefined
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })
  const stoppedBy = (message: string, from?: unknown) => {
    cause = new Error(`The embedded database stopped: ${message}`, { cause: from })
  }
  const end = () => {
    ended = true
    clearInterval(looking)
    for (const take of waiting.splice(0)) take({ type: 'error', message: cause.message })
    if (!closing) fail(cause)
  }
  worker.on('error', (error) => stoppedBy(error.message, error))
  worker.on('exit', end)

  let silentLooks = 0
  let seen = 0
  const look = () => {
    const done = Atomics.load(new Int32Array(progress), 0)
    silentLooks = waiting.length > 0 && done === seen ? silentLooks + 1 : 0
    seen = done
    if (silentLooks < LOOKS) return
    stoppedBy(`its thread has not answered for ${Math.round(silence / 1000)} s`)
    // Not awaited: what keeps the thread from answering may keep it from ending.
    void worker.terminate()
    end()
  }

  worker.on('message', (message: FromWorker) => {
    switch (message.type) {
      case 'lost':
        return stoppedBy(message.message)
      case 'warning':
        return warn(message.message)
      default:
        silentLooks = 0
        waiting.shift()?.(message)
    }
  })

  const answer = () => new Promise<Answer>((resolve) => waiting.push(resolve))
  const started = await answer()
  if (started.type === 'error') throw new Error(started.message)
  // From here on: to make a database takes long on a slow machine, and touches no file meanwhile.
  looking = setInterval(look, silence / LOOKS).unref()
  const ask = (message: ToWorker): Promise<Answer> => {
    if (ended) return Promise.resolve({ type: 'error', message: cause.message })
    const answered = answer()
    worker.postMessage(message)
    return answered
  }
  const close = async () => {
    closing = true
    if (ended) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    const closed = await ask({ type: 'close' })
    if (closed.type === 'error') throw new Error(closed.message)
    await exited
  }
  return { ask, failed, close }
}
