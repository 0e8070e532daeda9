import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Smaller bodies are sent as they are: a packet holds them anyway. Bytes. */
const WORTH_COMPRESSING = 1024

/** Both run in zlib's threads. As quick as gzip's default level, and smaller, is brotli at 5. */
const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
}
const brotli = promisify(brotliCompress)

/** An answer that many clients get: tagged once, and compressed once for each encoding that is asked for. */
export class KeptBody {
  readonly bytes: Buffer
  /** Media type. */
  readonly type: string
  /** Weak, since the same answer may go out compressed or not. */
  readonly etag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(bytes: Buffer, type: string) {
    this.bytes = bytes
    this.type = type
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 27)}"`
  }

  /** Bytes of memory that this body takes at most: its compressed forms together are smaller than the plain one. */
  get weight(): number {
    return 2 * this.bytes.length
  }

  get isWorthCompressing(): boolean {
    return this.bytes.length >= WORTH_COMPRESSING
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known
    const made = COMPRESS[encoding](this.bytes)
    this.#compressed.set(encoding, made)
    // A failure reaches those who wait and is not kept.
    made.catch(() => this.#compressed.delete(encoding))
    return made
  }
}

export const jsonBody = (value: object): KeptBody =>
  new KeptBody(Buffer.from(JSON.stringify(value)), 'application/json; charset=utf-8')

/**
 * Gives the body of a value that services hold on to: made once for each `variant` of it, and dropped together with the value.
 */
export function bodiesByValue(): (value: object, variant?: string, make?: () => object) => KeptBody {
  const bodies = new WeakMap<object, Map<string, KeptBody>>()
  return (value, variant = '', make = () => value) => {
    const variants = bodies.get(value) ?? new Map<string, KeptBody>()
    bodies.set(value, variants)
    const body = variants.get(variant) ?? jsonBody(make())
    variants.set(variant, body)
    return body
  }
}
