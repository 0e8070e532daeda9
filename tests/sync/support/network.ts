import type { FastifyInstance } from 'fastify'
import type { Accounts } from './accounts'
import type { Activity } from './activity'
import type { VirtualTime } from './virtual-time'

export const FAULTS = [
  'lost-request',
  'lost-answer',
  'late-request',
  'late-answer',
  'slow-answer',
  'twice',
  'truncated',
  '500',
  '429',
  '429-long',
  'html',
  '401-without-code',
  '401-invalid',
  '401-expired',
  '401-no-identity',
  '404-no-route',
  '401-unknown-code',
  '503-unknown-code',
  '404-page',
  'unknown-code',
  'slow-list',
] as const
export type Fault = (typeof FAULTS)[number]

/** One request as the server saw it, after the identity service had translated the token. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly key: string | null
  /** Whom it was executed for. */
  readonly owner: string
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
  readonly replayed: boolean
}

export interface Network {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly addFault: (fault: Fault) => void
  readonly addRefreshFault: (fault: Fault) => void
  /** The server cannot do the next change for most of an hour, and does others. */
  readonly stickNext: () => void
  readonly setOffline: (offline: boolean) => void
  readonly isOffline: () => boolean
  /** From now on nothing fails any more. */
  readonly heal: () => void
  readonly onSent: (listener: (key: string, path: string) => void) => void
  readonly onSeen: (listener: (seen: Seen) => void) => void
}

interface NetworkDeps {
  readonly app: FastifyInstance
  readonly accounts: Accounts
  /** How the requests of an owner are signed on their last stretch. */
  readonly headersOf: (owner: string) => Readonly<Record<string, string>>
  /** The server's clock, which may be wrong. */
  readonly serverNow: () => number
  readonly time: VirtualTime
  readonly activity: Activity
  readonly random: () => number
  /** Whether coins, prices and history are served too, or are out of reach. */
  readonly market: boolean
}

interface Wire {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | Uint8Array<ArrayBuffer>
}

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Wire => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
})
const refusal = (status: number, error_code: string): Wire => json(status, { detail: error_code, error_code })
/** A newer server may answer with this code: always the same change, and none that it has done. */
export const UNKNOWN_CODE = 'OF_ANOTHER_VERSION'
const STATUS_OF_UNKNOWN = [400, 403, 404, 409, 410, 422]
const LOGIN_PAGE: Wire = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  text: '<html><body>Please log in to the Wi-Fi</body></html>',
}

/** Answer of a proxy in between; undefined: the request gets through. */
const answerInBetween = (fault: Fault | undefined): Wire | undefined => {
  switch (fault) {
    case '500':
      return { status: 500, headers: {}, text: 'oops' }
    case '429':
      return { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '30' } }
    case '429-long':
      return { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '900' } }
    case 'html':
      return LOGIN_PAGE
    case '401-without-code':
      return { ...LOGIN_PAGE, status: 401 }
    case '401-invalid':
      return refusal(401, 'INVALID_TOKEN')
    case '401-expired':
      return refusal(401, 'TOKEN_EXPIRED')
    case '401-no-identity':
      return refusal(401, 'UNAUTHENTICATED')
    case '401-unknown-code':
      return refusal(401, UNKNOWN_CODE)
    case '503-unknown-code':
      return refusal(503, UNKNOWN_CODE)
    case '404-no-route':
      return refusal(404, 'NO_SUCH_ROUTE')
    case '404-page':
      return { ...LOGIN_PAGE, status: 404 }
    default:
      return undefined
  }
}

/** Milliseconds for which one change is answered with 500: long enough to be passed by others. */
const STUCK_FOR = 50 * 60_000

/** Some faults wait for their request: the next change, or the next list. */
function takeFault(waiting: Fault[], key: string | undefined, { pathname }: URL): Fault | undefined {
  const isMet = (fault: Fault): boolean =>
    fault === 'unknown-code'
      ? key !== undefined
      : fault !== 'slow-list' || (key === undefined && pathname.endsWith('/widgets'))
  const at = waiting.findIndex(isMet)
  return at === -1 ? undefined : waiting.splice(at, 1)[0]
}

const failed = (): Error => new TypeError('Failed to fetch')
const never = new Promise<never>(() => undefined)

/** The way between a device and the real server, with everything that can happen to a request on it. */
export function createNetwork(deps: NetworkDeps): Network {
  const { app, accounts, headersOf, serverNow, time, activity, random, market } = deps
  const faults: Fault[] = []
  const refreshFaults: Fault[] = []
  let stuckNext = false
  const stuck = new Map<string, number>()
  const done = new Set<string>()
  /** Status by key. */
  const refusedByNewer = new Map<string, number>()
  /** A server that refuses a token with an unknown code does it to the repetition with a new token as well. */
  const refusedOnce = new Set<string>()
  let offline = false
  let onSent: (key: string, path: string) => void = () => undefined
  let onSeen: (seen: Seen) => void = () => undefined
  // One request after the other, so that a seed always gives the same history.
  let turn: Promise<unknown> = Promise.resolve()

  const inject = async (url: URL, init: RequestInit, owner: string): Promise<Wire> => {
    const { Authorization: _, 'X-Anonymous-User-ID': __, ...headers } = init.headers as Record<string, string>
    const response = await app.inject({
      method: init.method as 'GET',
      url: url.pathname + url.search,
      headers: { ...headers, ...(owner !== '' && headersOf(owner)) },
      ...(init.body === undefined ? {} : { payload: init.body as string }),
    })
    const key = headers['Idempotency-Key'] ?? null
    if (key !== null && response.statusCode < 400) done.add(key)
    const replayed = response.headers['idempotent-replayed'] === 'true'
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const answer: unknown = isJson ? JSON.parse(response.payload) : null
    onSeen({
      method: init.method!,
      path: url.pathname,
      key,
      owner,
      body,
      status: response.statusCode,
      answer,
      replayed,
    })
    const dated = { ...response.headers, date: new Date(serverNow()).toUTCString() }
    const flat = Object.entries(dated).map(([name, value]) => [name, String(value)])
    return {
      status: response.statusCode,
      headers: Object.fromEntries(flat),
      text: isJson ? response.payload : new Uint8Array(response.rawPayload),
    }
  }

  const serve = async (url: URL, init: RequestInit): Promise<Wire> => {
    const headers = init.headers as Record<string, string>
    const refused = refusedByNewer.get(headers['Idempotency-Key'] ?? '')
    if (refused !== undefined) return refusal(refused, UNKNOWN_CODE)
    if (url.pathname.endsWith('/auth/refresh-token')) {
      const { refresh_token } = JSON.parse(init.body as string) as { readonly refresh_token: string }
      const tokens = accounts.refresh(refresh_token)
      if (tokens === 'INVALID_REFRESH_TOKEN') return refusal(401, tokens)
      return json(200, {
        access_token: tokens.access,
        refresh_token: tokens.refresh,
        token_type: 'bearer',
        expires_in: 900,
      })
    }
    const bearer = headers['Authorization']?.slice('Bearer '.length)
    if (bearer === undefined) return inject(url, init, headers['X-Anonymous-User-ID'] ?? '')
    const checked = accounts.check(bearer)
    return typeof checked === 'string' ? refusal(401, checked) : inject(url, init, checked.account)
  }
  const inTurn = (url: URL, init: RequestInit): Promise<Wire> => {
    const work = turn.then(() => serve(url, init))
    turn = work.catch(() => undefined)
    return Promise.resolve(activity.track(work))
  }

  const travel = async (url: URL, init: RequestInit): Promise<Wire> => {
    const isUser = 'Authorization' in (init.headers as object)
    const isRefresh = url.pathname.endsWith('/auth/refresh-token')
    if (offline || (!market && /\/(coins|simple)\//.test(url.pathname))) {
      await time.sleep(1)
      throw failed()
    }
    const key = (init.headers as Record<string, string>)['Idempotency-Key']
    const name = `${init.method} ${url.pathname} ${key}`
    const isAgain = refusedOnce.delete(name)
    let fault = isAgain ? '401-unknown-code' : takeFault(isRefresh ? refreshFaults : faults, key, url)
    if (fault === '401-unknown-code' && !isAgain) refusedOnce.add(name)
    if (!isUser && (fault === '401-invalid' || fault === '401-expired')) fault = undefined
    // A user's header is dropped as well, but then the session pauses, which '401-invalid' plays.
    if (isUser && fault === '401-no-identity') fault = undefined
    if (stuckNext && key !== undefined) {
      stuckNext = false
      stuck.set(key, time.now() + STUCK_FOR)
    }
    if (key !== undefined && (stuck.get(key) ?? 0) > time.now()) fault = '500'
    if (fault === 'unknown-code') {
      fault = undefined
      const status = STATUS_OF_UNKNOWN[Math.floor(random() * STATUS_OF_UNKNOWN.length)]!
      if (!done.has(key!)) refusedByNewer.set(key!, status)
    }
    const latency = 20 + Math.floor(random() * 400)
    await time.sleep(latency)
    const between = answerInBetween(fault)
    if (between !== undefined) return between
    if (fault === 'lost-request') throw failed()
    if (fault === 'late-request') {
      void time.sleep(25_000).then(() => inTurn(url, init))
      return never
    }
    const answer = await inTurn(url, init)
    if (fault === 'lost-answer') throw failed()
    if (fault === 'late-answer') return never
    if (fault === 'twice') void time.sleep(5_000).then(() => inTurn(url, init))
    await time.sleep(fault === 'slow-answer' || fault === 'slow-list' ? 10_000 : Math.floor(random() * 300))
    return fault === 'truncated' ? { ...answer, text: answer.text.slice(0, answer.text.length / 2) } : answer
  }

  return {
    fetch(href, init) {
      const url = new URL(href)
      const key = (init.headers as Record<string, string>)['Idempotency-Key']
      onSent(key ?? `${init.method} ${url.pathname}`, url.pathname)
      return new Promise<Response>((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        travel(url, init).then(({ status, headers, text }) => {
          resolve(new Response(status === 204 || status === 304 ? null : text, { status, headers }))
        }, reject)
      })
    },
    addFault: (fault) => void faults.push(fault),
    addRefreshFault: (fault) => void refreshFaults.push(fault),
    stickNext: () => {
      stuckNext = true
    },
    setOffline: (now) => {
      offline = now
    },
    isOffline: () => offline,
    heal() {
      faults.length = 0
      refreshFaults.length = 0
      stuckNext = false
      stuck.clear()
      refusedByNewer.clear()
      refusedOnce.clear()
      offline = false
    },
    onSent: (listener) => {
      onSent = listener
    },
    onSeen: (listener) => {
      onSeen = listener
    },
  }
}
