import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { Answer } from './answer'
import type { EngineEnv } from './env'
import { refreshAccessToken } from './refresh'
import { type Call, send } from './request'

const SESSION_EXPIRED = 'Your session has expired. Please log in again.'

/**
 * Sends a call as `owner`, whoever is signed in now. An expired access token is refreshed once for everyone, and the
 * call is sent once more.
 */
export async function sendAs(env: EngineEnv, owner: OwnerId, call: Call): Promise<Answer> {
  if (isAnonymousOwner(owner)) return send(env, call, { 'X-Anonymous-User-ID': owner })
  const session = await env.db.session.get('current')
  if (session?.owner !== owner || session.tokens === null) return { kind: 'not-mine' }
  const { access } = session.tokens
  const first = await send(env, call, { Authorization: `Bearer ${access}` })
  if (first.kind !== 'refused' || first.error_code !== 'TOKEN_EXPIRED') return first

  const refreshed = await refreshAccessToken(env, owner, access)
  if (refreshed.kind === 'not-mine') return refreshed
  if (refreshed.kind === 'unavailable') return refreshed
  if (refreshed.kind === 'ended') {
    const { error_code } = refreshed
    return { ...first, error_code, message: SESSION_EXPIRED }
  }
  const second = await send(env, call, { Authorization: `Bearer ${refreshed.access}` })
  // Expired again at once: a clock somewhere is wrong. The session is not over for that.
  return second.kind === 'refused' && second.error_code === 'TOKEN_EXPIRED'
    ? { kind: 'unavailable', status: second.status, message: second.message, retryAfter: null }
    : second
}
