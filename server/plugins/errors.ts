import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { ErrorBody, ErrorCode } from '../../src/contract/errors'
import { isOutOfReach } from '../db/out-of-reach'
import { ApiError } from '../http/api-error'

/** Fastify's own refusals in our terms. Their status distinguishes the others. */
const BY_FASTIFY_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this call takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['VALIDATION_ERROR', 'The body is not of the content type that this call takes.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['VALIDATION_ERROR', 'The body does not have the length that was announced.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['VALIDATION_ERROR', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['NO_SUCH_ROUTE', 'The address is not valid.'],
}

interface FastifyLikeError extends Error {
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly validationContext?: unknown
}

/** The refusal that an error is; null where the fault is ours. */
function refusalOf(error: FastifyLikeError): ApiError | null {
  if (error instanceof ApiError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const where = error.validationContext ?? 'request'
    const errors = error.validation.map(({ instancePath, message }) => ({
      path: `${where}${instancePath === '/' ? '' : instancePath.replaceAll('/', '.')}`,
      message: message ?? 'is not valid',
    }))
    return new ApiError('VALIDATION_ERROR', 'The request is not valid.', { errors: errors.slice(0, 20) })
  }
  const known = typeof error.code === 'string' ? BY_FASTIFY_CODE[error.code] : undefined
  if (known !== undefined) return new ApiError(...known)
  const status = error.statusCode
  const isRefused = typeof status === 'number' && status >= 400 && status < 500
  return isRefused ? new ApiError('VALIDATION_ERROR', 'The request is not valid.') : null
}

/** Asks for a bearer token (RFC 9110, 15.5.2); the fault of a token that came has the name of RFC 6750, 3.1. */
const challenge = (code: ErrorCode): string =>
  code === 'TOKEN_EXPIRED' || code === 'INVALID_TOKEN' ? 'Bearer error="invalid_token"' : 'Bearer'

/** Clients ask again after so many seconds where the database cannot be reached. */
const RETRY_SECONDS = 3

/** Answers every error as `{detail, error_code, errors?}`; of our own faults the answer names the request's id alone. */
export function sendError(error: FastifyLikeError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store')
  const refusal = refusalOf(error)
  if (refusal?.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
  if (refusal !== null) {
    const { status, code, message: detail, extra } = refusal
    if (status === 401) reply.header('www-authenticate', challenge(code))
    return reply.code(status).send({ detail, error_code: code, ...extra } satisfies ErrorBody)
  }
  request.log.error({ err: error }, 'request failed')
  if (isOutOfReach(error)) {
    const detail = 'The service is not available at the moment. Please try again.'
    const body: ErrorBody = { detail, error_code: 'INTERNAL_ERROR', request_id: request.id }
    return reply.code(503).header('retry-after', RETRY_SECONDS).send(body)
  }
  const body: ErrorBody = { detail: 'Something went wrong.', error_code: 'INTERNAL_ERROR', request_id: request.id }
  // A handler that took too long may succeed when it is tried again.
  return reply.code(error.statusCode === 503 ? 503 : 500).send(body)
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
}

const STATUS: Readonly<Record<string, readonly [status: number, reason: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'Address and headers are too long.'],
}

/** Answers bytes that are no HTTP request, in the format of every other error; Fastify never sees them. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, detail] = STATUS[error.code ?? ''] ?? [400, 'Bad Request', 'This is not a valid HTTP request.']
  const body = JSON.stringify({ detail, error_code: 'VALIDATION_ERROR' } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
