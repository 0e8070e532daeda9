import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'

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

/** Answers with a body that is kept for many, or with 304 if the client has it already. */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: KeptBody,
  cacheControl: string,
): Promise<FastifyReply> {
  reply
    .header('etag', body.etag)
    .header('cache-control', cacheControl)
    // Of every answer, plain ones and 304s too: else a shared cache would take the first that it meets for the only one.
    .header('vary', 'accept-encoding')
  if (isHeld(request.headers['if-none-match'], body.etag)) return reply.code(304).send()
  reply.type(body.type)
  const encoding = body.isWorthCompressing ? preferredEncoding(request.headers['accept-encoding']) : null
  if (encoding === null) return reply.send(body.bytes)
  const bytes = await body.compressed(encoding)
  return reply.header('content-encoding', encoding).send(bytes)
}

/** RFC 9110, 13.1.2: tags are compared weakly, and `*` is any. */
const isHeld = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((part) => {
    const tag = part.trim()
    return tag === etag || `W/${tag}` === etag || tag === '*'
  }) ?? false

/** The encoding that the client takes and likes most, brotli rather than gzip; null: none of the two (RFC 9110, 12.5.3). */
export function preferredEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const any = weights.get('*') ?? 0
  const br = weights.get('br') ?? any
  const gzip = weights.get('gzip') ?? any
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : null
}
