import { channelRoutes } from '../contract/channels'
import {
  ERROR_STATUS,
  type ErrorCode,
  type ReceivedErrorBody,
  receivedErrorBody,
  type ReceivedErrorCode,
} from '../contract/errors'
import type { Route } from '../contract/route'
import { API_BASE, routes } from '../contract/routes'
import { REFRESH_ATTEMPT_HEADER, type TokenAnswer } from '../contract/session'
import { REVISION_HEADER } from '../contract/stream'
import type { EngineCall } from '../db/call'
import { acceptTokens, endSession, nameAttempt, pauseUser } from '../db/answers/session-answers'
import type { SessionRow } from '../db/rows'
import { messageOf } from '../domain/error-message'
import { isAnonymousOwner, type OpId, type OwnerId } from '../domain/ids'
import { parseRetryAfter } from '../domain/waits'
import type { EngineEnv } from './env'

/** Outcome of a request, decided by status, schema and error code, never by a message's text. */
export type Answer =
  | {
      readonly kind: 'ok'
      readonly value: unknown
      readonly etag: string | null
      /** The number of all rows, for routes that are `counted`. */
      readonly total?: number
      /** The revisions of the owner's list that the server names: of the list, or before and after a change. */
      readonly revisions?: readonly number[]
    }
  /** Not modified since the ETag. */
  | { readonly kind: 'unchanged' }
  /** The API itself said no. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly error_code: ReceivedErrorCode
      readonly message: string
      readonly body: ReceivedErrorBody
    }
  /** No answer, or none that can be the API's verdict: the engine tries again. */
  | {
      readonly kind: 'unavailable'
      /** 0: nothing answered. */
      readonly status: number
      /** Error code of the API, such as MARKET_DATA_UNAVAILABLE; null: another program answered. */
      readonly error_code: ErrorCode | null
      readonly message: string
      /** Milliseconds. */
      readonly retryAfter: number | null
    }
  /** The owner of the request is not signed in any more: nothing was sent. */
  | { readonly kind: 'not-mine' }

export interface RawAnswer {
  readonly status: number
  /** Empty where the answer was taken as bytes. */
  readonly text: string
  /** Of a route with a media type of its own, if it succeeded. */
  readonly bytes?: ArrayBuffer
  readonly header: (name: string) => string | null
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sentence of an error: its detail, else its message, else its status. */
function errorMessage(status: number, text: string): string {
  const body = parseJson(text)
  if (typeof body === 'object' && body !== null) {
    if ('detail' in body) return typeof body.detail === 'string' ? body.detail : JSON.stringify(body.detail)
    if ('message' in body && typeof body.message === 'string') return body.message
  }
  return `${WITHOUT_WORDS}${status}`
}

const WITHOUT_WORDS = 'HTTP error! Status: '

/** True if an error's message came from the server, and was not put in its place by the client. */
export const isServersOwn = (message: string): boolean =>
  message !== '' && message !== NOT_UNDERSTOOD && !message.startsWith(WITHOUT_WORDS)

/** Answers of these kinds say nothing of the request itself. */
const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

/**
 * True if the API has judged the request. A code that this build does not know is a verdict too, except with 401, where
 * only known codes may end a session. NO_SUCH_ROUTE is none: the server may be in the middle of a deployment.
 */
const isVerdict = (status: number, code: ReceivedErrorCode): boolean =>
  code !== 'NO_SUCH_ROUTE' && (status !== 401 || isKnownCode(code))

const isKnownCode = (code: ReceivedErrorCode): code is ErrorCode => Object.hasOwn(ERROR_STATUS, code)

export const NOT_UNDERSTOOD = 'The answer was not understood.'

const readTotal = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null

/** None of a repeated answer: the change was made at an earlier revision than the rows that it carries. */
function readRevisions(header: RawAnswer['header']): { readonly revisions?: readonly number[] } {
  const said = header(REVISION_HEADER)
  if (said === null || !/^\d{1,15}(?: \d{1,15})?$/.test(said) || header('idempotent-replayed') === 'true') return {}
  return { revisions: said.split(' ').map(Number) }
}

/** @param now milliseconds since 1970, for a Retry-After that names a date */
export function readAnswer(
  route: Pick<Route, 'answer' | 'read' | 'counted' | 'media'>,
  raw: RawAnswer,
  now: number,
): Answer {
  const { status, text, bytes, header } = raw
  const unavailable = (message: string, error_code: ErrorCode | null = null): Answer => ({
    kind: 'unavailable',
    status,
    error_code,
    message,
    retryAfter: parseRetryAfter(header('retry-after'), now),
  })
  if (status === 304) return { kind: 'unchanged' }
  if (status >= 200 && status < 300) {
    if (route.media !== undefined) {
      // A network that asks for a sign-in answers with a page of its own.
      const isOurs = header('content-type')?.startsWith(route.media) === true
      return isOurs && bytes !== undefined
        ? { kind: 'ok', value: bytes, etag: header('etag') }
        : unavailable(NOT_UNDERSTOOD)
    }
    // A replay whose row is gone by now has no body either.
    const empty = route.answer === null || header('idempotent-replayed') === 'true'
    const revisions = readRevisions(header)
    if (status === 204 && empty) return { kind: 'ok', value: null, etag: null, ...revisions }
    const parsed = (route.read ?? route.answer)?.safeParse(parseJson(text))
    if (parsed?.success !== true) return unavailable(NOT_UNDERSTOOD)
    const answer = { kind: 'ok', value: parsed.data, etag: header('etag'), ...revisions } as const
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

/** Milliseconds that a request may take, its body included. */
const TIME_LIMIT = 20_000

/** Every route by its name, as far as the engine can ask for it. */
export const engineRoutes: Readonly<Record<EngineCall, Route>> = { ...routes, ...channelRoutes }

export interface ApiRequest {
  readonly route: EngineCall
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly key?: OpId
  /** ETag stored with the last answer; the server may answer that nothing changed. */
  readonly etag?: string | null
}

/**
 * One GET or mutation without identity; rejects when nothing answers within the time limit.
 * @param asBytes takes a success as bytes, an error as text
 */
export async function exchange(env: EngineEnv, url: string, init: RequestInit, asBytes = false): Promise<RawAnswer> {
  const limit = new AbortController()
  const cancel = env.timer(TIME_LIMIT, () => limit.abort(new Error('No answer within 20 seconds.')))
  try {
    // A redirect is never the API's: following one would carry the identity elsewhere.
    const response = await env.fetch(url, { ...init, signal: limit.signal, redirect: 'error', credentials: 'omit' })
    const isBytes = asBytes && response.ok
    const body = await (isBytes ? response.arrayBuffer() : response.text())
    env.heard?.(true)
    const { status } = response
    const header = (name: string): string | null => response.headers.get(name)
    return typeof body === 'string' ? { status, text: body, header } : { status, text: '', bytes: body, header }
  } catch (error) {
    env.heard?.(false)
    throw error
  } finally {
    cancel()
  }
}

const urlOf = (origin: string, route: Route, { params = {}, query = {} }: ApiRequest): string => {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return `${origin}${API_BASE}${path}${search === '' ? '' : `?${search}`}`
}

/** Sends a request with the given identity headers; never rejects. */
export async function send(
  env: EngineEnv,
  request: ApiRequest,
  identity: Readonly<Record<string, string>>,
): Promise<Answer> {
  const route = engineRoutes[request.route]
  const accepted = route.media === undefined ? 'application/json' : `${route.media}, application/json`
  const headers: Record<string, string> = { Accept: accepted, ...identity }
  if (request.key !== undefined) headers['Idempotency-Key'] = request.key
  if (request.etag != null) headers['If-None-Match'] = request.etag
  const written = writtenBody(route, request.body)
  if (written !== null) headers['Content-Type'] = written.type
  try {
    const init: RequestInit = {
      method: route.method,
      headers,
      cache: 'no-store',
      ...(written !== null && { body: written.text }),
    }
    const raw = await exchange(env, urlOf(env.origin, route, request), init, route.media !== undefined)
    return readAnswer(route, raw, env.now())
  } catch (error) {
    return unanswered(error)
  }
}

/** Answer of a call that got none. */
export function unanswered(error: unknown): Extract<Answer, { kind: 'unavailable' }> {
  const message = `Network error or unable to connect. ${messageOf(error)}`
  return { kind: 'unavailable', status: 0, error_code: null, message, retryAfter: null }
}

function writtenBody({ encoding }: Route, body: unknown): { readonly type: string; readonly text: string } | null {
  if (body === undefined) return null
  if (encoding !== 'form') return { type: 'application/json', text: JSON.stringify(body) }
  const text = new URLSearchParams(body as Record<string, string>).toString()
  return { type: 'application/x-www-form-urlencoded', text }
}

type Refreshed =
  | { readonly kind: 'fresh'; readonly access: string }
  /** Only these two codes end a session; in all other cases the user stays signed in. */
  | { readonly kind: 'ended'; readonly error_code: ReceivedErrorCode }
  | Extract<Answer, { kind: 'unavailable' | 'not-mine' }>

/**
 * Gets a new access token for `owner`, whose token `rejected` the server no longer accepts. Under the lock, a second tab
 * or the service worker finds the first one's token. The session is checked inside the lock and again on writing, so that
 * another user's is never overwritten.
 */
async function refreshAccessToken(env: EngineEnv, owner: OwnerId, rejected: string): Promise<Refreshed> {
  return env.locks.request('token-refresh', async () => {
    const session = await env.db.session.get('current')
    if (session?.owner !== owner || session.tokens === null) return { kind: 'not-mine' }
    if (session.tokens.access !== rejected) return { kind: 'fresh', access: session.tokens.access }

    const attempt = session.tokens.attempt ?? (await nameAttempt(env.db, session, env.token()))
    if (attempt === null) return { kind: 'not-mine' }
    const body = { refresh_token: session.tokens.refresh }
    const answer = await send(env, { route: 'refreshToken', body }, { [REFRESH_ATTEMPT_HEADER]: attempt })
    switch (answer.kind) {
      case 'unavailable':
      case 'not-mine':
        return answer
      case 'refused':
        if (answer.error_code !== 'INVALID_REFRESH_TOKEN' && answer.error_code !== 'INVALID_TOKEN')
          return unavailable(answer.status, answer.message)
        return (await endSession(env.db, session))
          ? { kind: 'ended', error_code: answer.error_code }
          : { kind: 'not-mine' }
      case 'unchanged':
        return unavailable(304, NOT_UNDERSTOOD)
      case 'ok': {
        const { access_token: access, refresh_token: refresh, user } = answer.value as TokenAnswer
        const accepted = await acceptTokens(env.db, session, { access, refresh }, user, env.now())
        return accepted ? { kind: 'fresh', access } : { kind: 'not-mine' }
      }
    }
  })
}

const unavailable = (status: number, message: string): Extract<Answer, { kind: 'unavailable' }> => ({
  kind: 'unavailable',
  status,
  error_code: null,
  message,
  retryAfter: null,
})

/** The specification's sentence. */
export const SESSION_EXPIRED = 'Your session has expired. Please log in again.'
const NOTHING_TO_REFRESH = 'Session expired, and refresh mechanism is not configured.'

/** Sends a request as `owner`, or not at all if another user is signed in. */
export const sendAs = (env: EngineEnv, owner: OwnerId, request: ApiRequest): Promise<Answer> =>
  identified(env, owner, (identity) => send(env, request, identity))

/**
 * Runs one request with the identity headers of `owner`, or not at all if another user is signed in. An access token that
 * the server rejects, expired or not, is refreshed once for all contexts, and the request is sent once more: only the
 * refresh ends a session.
 */
export async function identified(
  env: EngineEnv,
  owner: OwnerId,
  attempt: (identity: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  if (isAnonymousOwner(owner)) {
    const answer = await attempt({ 'X-Anonymous-User-ID': owner })
    // A guest has no token that could have expired.
    return isExpired(answer) ? { ...answer, message: NOTHING_TO_REFRESH } : answer
  }
  const session = await env.db.session.get('current')
  if (session?.owner !== owner || session.tokens === null) return { kind: 'not-mine' }
  const { access } = session.tokens
  const first = await attempt({ Authorization: `Bearer ${access}` })
  if (!isRejected(first)) return first

  const refreshed = await refreshAccessToken(env, owner, access)
  if (refreshed.kind === 'not-mine' || refreshed.kind === 'unavailable') return refreshed
  if (refreshed.kind === 'ended') return { ...first, error_code: refreshed.error_code, message: SESSION_EXPIRED }
  const second = await attempt({ Authorization: `Bearer ${refreshed.access}` })
  // Expired again at once: a clock is wrong, which does not end the session.
  if (isExpired(second)) return unavailable(second.status, second.message)
  if (isRejected(second)) await pauseUser(env.db, owner, refreshed.access)
  return second
}

type Refused = Extract<Answer, { kind: 'refused' }>
const isRejected = (answer: Answer): answer is Refused => answer.kind === 'refused' && answer.status === 401
const isExpired = (answer: Answer): answer is Refused =>
  answer.kind === 'refused' && answer.error_code === 'TOKEN_EXPIRED'

export interface OwnersAnswer {
  /** As it was before the request; null: another user is signed in, and nothing was sent. */
  readonly session: SessionRow | null
  readonly answer: Answer
}

/** Sends a request as the present owner; if an `owner` is named, as that one or not at all. */
export async function asPresent(env: EngineEnv, request: ApiRequest, owner?: OwnerId): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  return session === undefined || (owner !== undefined && session.owner !== owner)
    ? { session: null, answer: { kind: 'not-mine' } }
    : { session, answer: await sendAs(env, session.owner, request) }
}
