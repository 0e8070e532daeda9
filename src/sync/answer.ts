import {
  ERROR_STATUS,
  type ErrorCode,
  type ReceivedErrorBody,
  receivedErrorBody,
  type ReceivedErrorCode,
} from '../contract/errors'
import type { Route } from '../contract/routes'
import { parseRetryAfter } from '../domain/retry-after'

/** What a request came to, told from status, schema and error code, never from a message's text. */
export type Answer =
  | {
      readonly kind: 'ok'
      readonly value: unknown
      readonly etag: string | null
      /** How many there are in all, where the route says so. */
      readonly total?: number
    }
  /** What was asked for with an ETag is still what it was. */
  | { readonly kind: 'unchanged' }
  /** The API itself said no. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly error_code: ReceivedErrorCode
      readonly message: string
      readonly body: ReceivedErrorBody
    }
  /** No answer, or none that can be the API's verdict: to be tried again. */
  | {
      readonly kind: 'unavailable'
      /** 0: nothing answered. */
      readonly status: number
      /** What the API says of its own state, such as MARKET_DATA_UNAVAILABLE; null: it is not the API that speaks. */
      readonly error_code: ErrorCode | null
      readonly message: string
      /** Milliseconds. */
      readonly retryAfter: number | null
    }
  /** The owner of the request is not signed in any more: nothing was sent. */
  | { readonly kind: 'not-mine' }

export interface RawAnswer {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | null
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an error says for people: its detail, else its message, else its status. */
export function errorMessage(status: number, text: string): string {
  const body = parseJson(text)
  if (typeof body === 'object' && body !== null) {
    if ('detail' in body) return typeof body.detail === 'string' ? body.detail : JSON.stringify(body.detail)
    if ('message' in body && typeof body.message === 'string') return body.message
  }
  return `${WITHOUT_WORDS}${status}`
}

const WITHOUT_WORDS = 'HTTP error! Status: '

/** True if an error's message was said by the server, and not in its place by the client. */
export const isServersOwn = (message: string): boolean =>
  message !== '' && message !== NOT_UNDERSTOOD && !message.startsWith(WITHOUT_WORDS)

/** Answers of these kinds say nothing of the request itself. */
const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

/**
 * True if the API has judged the request. A code that this build does not know is a verdict too, except with 401, where
 * only known codes may end a session. An address that the server does not know is none: the server may be in the middle
 * of a deployment.
 */
const isVerdict = (status: number, code: ReceivedErrorCode): boolean =>
  code !== 'NO_SUCH_ROUTE' && (status !== 401 || isKnownCode(code))

const isKnownCode = (code: ReceivedErrorCode): code is ErrorCode => Object.hasOwn(ERROR_STATUS, code)

export const NOT_UNDERSTOOD = 'The answer was not understood.'

const readTotal = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null

/** @param now milliseconds since 1970, for a Retry-After that names a date */
export function readAnswer(route: Pick<Route, 'answer' | 'read' | 'counted'>, raw: RawAnswer, now: number): Answer {
  const { status, text, header } = raw
  const unavailable = (message: string, error_code: ErrorCode | null = null): Answer => ({
    kind: 'unavailable',
    status,
    error_code,
    message,
    retryAfter: parseRetryAfter(header('retry-after'), now),
  })
  if (status === 304) return { kind: 'unchanged' }
  if (status >= 200 && status < 300) {
    // A replay whose row is gone by now has no body either.
    const empty = route.answer === null || header('idempotent-replayed') === 'true'
    if (status === 204 && empty) return { kind: 'ok', value: null, etag: null }
    const parsed = (route.read ?? route.answer)?.safeParse(parseJson(text))
    if (parsed?.success !== true) return unavailable(NOT_UNDERSTOOD)
    const answer = { kind: 'ok', value: parsed.data, etag: header('etag') } as const
    if (route.counted !== true) return answer
    const total = readTotal(header('x-total-count'))
    return total === null ? unavailable(NOT_UNDERSTOOD) : { ...answer, total }
  }
  const message = errorMessage(status, text)
  if (status < 400) return unavailable(message)
  const body = receivedErrorBody.safeParse(parseJson(text))
  const known = body.success && isKnownCode(body.data.error_code) ? body.data.error_code : null
  if (isTransient(status)) return unavailable(message, known)
  return body.success && isVerdict(status, body.data.error_code)
    ? { kind: 'refused', status, error_code: body.data.error_code, message, body: body.data }
    : unavailable(message, known)
}
