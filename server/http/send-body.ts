import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding, KeptBody } from './kept-body'

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
