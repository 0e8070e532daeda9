import type { FastifyInstance } from 'fastify'
import { ApiError } from '../api-error'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Bodies are JSON in UTF-8 and nothing else. Fastify's own parser would put U+FFFD in place of wrong bytes; keys that
 * reach for prototypes are refused as it does. An empty body counts as none, since browsers and proxies send
 * DELETE with a content type.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(new ApiError('VALIDATION_ERROR', 'The body is not valid UTF-8.'))
    }
    return parse(request, text, (error: Error | null, value?: unknown) => {
      if (error === null) done(null, value)
      else done(new ApiError('VALIDATION_ERROR', 'The body is not valid JSON.'))
    })
  })
}
