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
 * Gets a new access token for `owner`, whose token `rejected` the server no longer takes. Shared by all tabs and the
 * service worker: under the lock, whoever comes second finds the first one's token. Inside the lock and again where it
 * writes, the session must still be the same one, or it would overwrite another user's.
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
        return answer.error_code === 'INVALID_REFRESH_TOKEN' || answer.error_code === 'INVALID_TOKEN'
          ? end(env, session, answer.error_code)
          : { kind: 'unavailable', status: answer.status, error_code: null, message: answer.message, retryAfter: null }
      case 'unchanged':
        return { kind: 'unavailable', status: 304, error_code: null, message: NOT_UNDERSTOOD, retryAfter: null }
      case 'ok':
        return goOn(env, session, answer.value as TokenAnswer)
    }
  })
}

async function end({ db }: EngineEnv, session: SessionRow, error_code: ReceivedErrorCode): Promise<Refreshed> {
  return (await endSession(db, session)) ? { kind: 'ended', error_code } : { kind: 'not-mine' }
}

async function goOn({ db, now }: EngineEnv, session: SessionRow, answer: TokenAnswer): Promise<Refreshed> {
  const tokens = { access: answer.access_token, refresh: answer.refresh_token }
  const accepted = await acceptTokens(db, session, tokens, answer.user, now())
  return accepted ? { kind: 'fresh', access: tokens.access } : { kind: 'not-mine' }
}

/** The specification's sentence. */
export const SESSION_EXPIRED = 'Your session has expired. Please log in again.'
const NOTHING_TO_REFRESH = 'Session expired, and refresh mechanism is not configured.'

/**
 * Sends a request as `owner`, whoever is signed in now. An access token that the server does not take, expired or not, is
 * refreshed once for everyone, and the request is sent once more: only the refresh says whether the session is over.
 */
export async function sendAs(env: EngineEnv, owner: OwnerId, request: ApiRequest): Promise<Answer> {
  if (isAnonymousOwner(owner)) {
    const answer = await send(env, request, { 'X-Anonymous-User-ID': owner })
    // A guest has no token that could have expired.
    return isExpired(answer) ? { ...answer, message: NOTHING_TO_REFRESH } : answer
  }
  const session = await env.db.session.get('current')
  if (session?.owner !== owner || session.tokens === null) return { kind: 'not-mine' }
  const { access } = session.tokens
  const first = await send(env, request, { Authorization: `Bearer ${access}` })
  if (!isRejected(first)) return first

  const refreshed = await refreshAccessToken(env, owner, access)
  if (refreshed.kind === 'not-mine') return refreshed
  if (refreshed.kind === 'unavailable') return refreshed
  if (refreshed.kind === 'ended') {
    const { error_code } = refreshed
    return { ...first, error_code, message: SESSION_EXPIRED }
  }
  const second = await send(env, request, { Authorization: `Bearer ${refreshed.access}` })
  // Expired again at once: a clock somewhere is wrong. The session is not over for that.
  if (isExpired(second)) {
    return { kind: 'unavailable', status: second.status, error_code: null, message: second.message, retryAfter: null }
  }
  if (isRejected(second)) await pauseUser(env.db, owner, refreshed.access)
  return second
}

type Refused = Extract<Answer, { kind: 'refused' }>
const isRejected = (answer: Answer): answer is Refused => answer.kind === 'refused' && answer.status === 401
const isExpired = (answer: Answer): answer is Refused =>
  answer.kind === 'refused' && answer.error_code === 'TOKEN_EXPIRED'

export interface OwnersAnswer {
  /** As it was before the request; null: it is not the owner's, and nothing was sent. */
  readonly session: SessionRow | null
  readonly answer: Answer
}

/** Sends a request as the user of this browser; where an owner is named, as that one or not at all. */
export async function asPresent(env: EngineEnv, request: ApiRequest, owner?: OwnerId): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  return session === undefined || (owner !== undefined && session.owner !== owner)
    ? { session: null, answer: { kind: 'not-mine' } }
    : { session, answer: await sendAs(env, session.owner, request) }
}
