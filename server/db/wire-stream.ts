import { Duplex } from 'node:stream'
import type { Answer, ToWorker } from './pglite-protocol'

const TERMINATE = 'X'.charCodeAt(0)

/** What node-postgres takes for a socket: PostgreSQL's wire protocol, answered by the embedded database. */
export class WireStream extends Duplex {
  readonly #ask: (message: ToWorker) => Promise<Answer>

  constructor(ask: (message: ToWorker) => Promise<Answer>) {
    super()
    this.#ask = ask
  }

  /** The session outlives connections, so what the last one left behind is cleared first. */
  connect(): this {
    void this.#ask({ type: 'reset' }).then((answer) => {
      if (answer.type === 'error') this.destroy(new Error(answer.message))
      else this.emit('connect')
    })
    return this
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

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
    void this.#ask({ type: 'bytes', bytes }).then((answer) => {
      if (answer.type === 'error') this.destroy(new Error(answer.message))
      else if (answer.type === 'bytes' && answer.bytes.length > 0 && !this.destroyed)
        this.push(Buffer.from(answer.bytes))
    })
  }
}
