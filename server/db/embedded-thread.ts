import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'

/* Between the server and the thread of the embedded database: each message to the thread gets one answer, in order (decision 0030). */

export interface WorkerSetup {
  /** The database's folder; made when it does not exist. */
  readonly folder: string
  /** False leaves out every fsync: for tests, where nothing has to survive a power cut. */
  readonly durable: boolean
  /** One Int32, which the thread raises with each operation on its files: a sign of work, however long a statement takes. */
  readonly progress: SharedArrayBuffer
}

export type ToWorker =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'reset' }
  /** Copies the database's files to a folder that does not exist yet. */
  | { readonly kind: 'snapshot'; readonly to: string }
  | { readonly kind: 'close' }

export type ThreadAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly message: string }

/** Unrequested: an error that the thread survives (`warning`), or the reason why the thread ends (`lost`). */
export type FromWorker = ThreadAnswer | { readonly kind: 'warning' | 'lost'; readonly message: string }

export type Thread = Awaited<ReturnType<typeof startThread>>

export interface ThreadOptions {
  /** A thread that was asked, and neither answers nor touches a file for this long, is ended. Milliseconds. */
  readonly silence: number
  /** Reports an error that did not end the thread. */
  readonly warn: (message: string) => void
}

/** The thread is looked at so many times until it counts as silent. */
const LOOKS_UNTIL_SILENT = 12

/** Starts the thread of the embedded database, and waits until it can be asked. */
export async function startThread(file: URL, setup: Omit<WorkerSetup, 'progress'>, { silence, warn }: ThreadOptions) {
  const progress = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const worker = new Worker(file, { workerData: { ...setup, progress } satisfies WorkerSetup })
  const waiting: ((answer: ThreadAnswer) => void)[] = []
  let closing = false
  let cause = new Error('The embedded database stopped')
  let ended = false
  let looking: NodeJS.Timeout | undefined
  let fail: (error: Error) => void = () => undefined
  /** Resolves when the thread ends without having been asked to. */
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })
  const stoppedBy = (message: string, from?: unknown) => {
    cause = new Error(`The embedded database stopped: ${message}`, { cause: from })
  }
  const end = () => {
    ended = true
    clearInterval(looking)
    for (const take of waiting.splice(0)) take({ kind: 'error', message: cause.message })
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
    if (silentLooks < LOOKS_UNTIL_SILENT) return
    stoppedBy(`its thread has not answered for ${Math.round(silence / 1000)} s`)
    // Not awaited: what keeps the thread from answering may keep it from ending.
    void worker.terminate()
    end()
  }

  worker.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'lost':
        return stoppedBy(message.message)
      case 'warning':
        return warn(message.message)
      default:
        silentLooks = 0
        waiting.shift()?.(message)
    }
  })

  const answer = () => new Promise<ThreadAnswer>((resolve) => waiting.push(resolve))
  const started = await answer()
  if (started.kind === 'error') throw new Error(started.message)
  // From here on: to make a database takes long on a slow machine, and touches no file meanwhile.
  looking = setInterval(look, silence / LOOKS_UNTIL_SILENT).unref()
  const ask = async (message: ToWorker): Promise<ThreadAnswer> => {
    if (ended) return { kind: 'error', message: cause.message }
    const answered = answer()
    worker.postMessage(message)
    return answered
  }
  const close = async (): Promise<void> => {
    closing = true
    if (ended) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    const closed = await ask({ kind: 'close' })
    if (closed.kind === 'error') throw new Error(closed.message)
    await exited
  }
  return { ask, failed, close }
}

/** First byte of the wire protocol's Terminate. */
const TERMINATE = 'X'.charCodeAt(0)

/** Stands in for node-postgres' socket: takes PostgreSQL's wire protocol, and the embedded database answers. */
export class WireStream extends Duplex {
  readonly #ask: Thread['ask']

  constructor(ask: Thread['ask']) {
    super()
    this.#ask = ask
  }

  /** The session outlives connections, so what the last one left behind is cleared first. */
  connect(): this {
    void this.#ask({ kind: 'reset' }).then((answer) => {
      if (answer.kind === 'error') this.destroy(new Error(answer.message))
      else this.emit('connect')
    })
    return this
  }

  readonly setNoDelay = (): this => this
  readonly setKeepAlive = (): this => this
  readonly ref = (): this => this
  readonly unref = (): this => this

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  #send(bytes: Buffer): void {
    // Terminate would end the only session there is.
    if (bytes[0] === TERMINATE) {
      this.push(null)
      return
    }
    void this.#ask({ kind: 'bytes', bytes }).then((answer) => {
      if (answer.kind === 'error') this.destroy(new Error(answer.message))
      else if (answer.kind === 'bytes' && answer.bytes.length > 0 && !this.destroyed)
        this.push(Buffer.from(answer.bytes))
    })
  }
}
