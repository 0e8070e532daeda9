import { API_BASE, type Route, type RouteName, routes } from '../contract/routes'
import type { OpId } from '../domain/ids'
import { type Answer, type RawAnswer, readAnswer } from './answer'
import type { EngineEnv } from './env'

/** Milliseconds that a request may take, its body included. */
export const TIME_LIMIT = 20_000

export interface Call {
  readonly route: RouteName
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly key?: OpId
  /** What was stored with the last answer; the server may say that nothing changed. */
  readonly etag?: string | null
}

/** One GET or mutation without identity; rejects when nothing answers within the time limit. */
export async function exchange(env: EngineEnv, url: string, init: RequestInit): Promise<RawAnswer> {
  const limit = new AbortController()
  const cancel = env.timer(TIME_LIMIT, () => limit.abort(new Error('No answer within 20 seconds.')))
  try {
    // A redirect is never the API's: following one would carry the identity elsewhere.
    const response = await env.fetch(url, { ...init, signal: limit.signal, redirect: 'error', credentials: 'omit' })
    const text = await response.text()
    env.heard?.(true)
    return { status: response.status, text, header: (name) => response.headers.get(name) }
  } catch (error) {
    env.heard?.(false)
    throw error
  } finally {
    cancel()
  }
}

const urlOf = (origin: string, route: Route, { params = {}, query = {} }: Call): string => {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return `${origin}${API_BASE}${path}${search === '' ? '' : `?${search}`}`
}

/** Sends a call with the given identity headers; never rejects. */
export async function send(env: EngineEnv, call: Call, identity: Readonly<Record<string, string>>): Promise<Answer> {
  const route: Route = routes[call.route]
  const headers: Record<string, string> = { Accept: 'application/json', ...identity }
  if (call.key !== undefined) headers['Idempotency-Key'] = call.key
  if (call.etag != null) headers['If-None-Match'] = call.etag
  const written = writtenBody(route, call.body)
  if (written !== null) headers['Content-Type'] = written.type
  try {
    const raw = await exchange(env, urlOf(env.origin, route, call), {
      method: route.method,
      headers,
      cache: 'no-store',
      ...(written !== null && { body: written.text }),
    })
    return readAnswer(route, raw, env.now())
  } catch (error) {
    return unanswered(error)
  }
}

/** What it is to a call that nothing answers. */
export function unanswered(error: unknown): Extract<Answer, { kind: 'unavailable' }> {
  const detail = error instanceof Error ? error.message : String(error)
  const message = `Network error or unable to connect. ${detail}`
  return { kind: 'unavailable', status: 0, error_code: null, message, retryAfter: null }
}

function writtenBody({ encoding }: Route, body: unknown): { readonly type: string; readonly text: string } | null {
  if (body === undefined) return null
  return encoding === 'form'
    ? {
        type: 'application/x-www-form-urlencoded',
        text: new URLSearchParams(body as Record<string, string>).toString(),
      }
    : { type: 'application/json', text: JSON.stringify(body) }
}
