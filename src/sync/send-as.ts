import { pauseUser } from '../db/answers/session-answers'
import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { Answer } from './answer'
import type { EngineEnv } from './env'
import { refreshAccessToken } from './refresh'
import { type Call, send } from './request'

/** The specification's sentence. */
export const SESSION_EXPIRED = 'Your session has expired. Please log in again.'
const NOTHING_TO_REFRESH = 'Session expired, and refresh mechanism is not configured.'

/**
 * Sends a call as `owner`, whoever is signed in now. An access token that the server does not take, expired or not, is
 * refreshed once for everyone, and the call is sent once more: only the refresh says whether the session is over.
 */
export async function sendAs(env: EngineEnv, owner: OwnerId, call: Call): Promise<Answer> {
  if (isAnonymousOwner(owner)) {
    const answer = await send(env, call, { 'X-Anonymous-User-ID': owner })
    // A guest has no token that could have expired.
    return isExpired(answer) ? { ...answer, message: NOTHING_TO_REFRESH } : answer
  }
  const session = await env.db.session.get('current')
  if (session?.owner !== owner || session.tokens === null) return { kind: 'not-mine' }
  const { access } = session.tokens
  const first = await send(env, call, { Authorization: `Bearer ${access}` })
  if (!isRejected(first)) return first

  const refreshed = await refreshAccessToken(env, owner, access)
  if (refreshed.kind === 'not-mine') return refreshed
  if (refreshed.kind === 'unavailable') return refreshed
  if (refreshed.kind === 'ended') {
    const { error_code } = refreshed
    return { ...first, error_code, message: SESSION_EXPIRED }
  }
  const second = await send(env, call, { Authorization: `Bearer ${refreshed.access}` })
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
