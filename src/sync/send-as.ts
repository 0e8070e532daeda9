import type { ReceivedErrorCode } from '../contract/errors'
import type { TokenAnswer } from '../contract/session'
import { acceptTokens, endSession, pauseUser } from '../db/answers/session-answers'
import type { SessionRow } from '../db/rows'
import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import { type Answer, type ApiRequest, NOT_UNDERSTOOD, send } from './request'
import type { EngineEnv } from './env'

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

    const body = { refresh_token: session.tokens.refresh }
    const answer = await send(env, { route: 'refreshToken', body }, {})
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
