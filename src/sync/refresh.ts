import type { ReceivedErrorCode } from '../contract/errors'
import type { TokenAnswer } from '../contract/session'
import { acceptTokens, endSession } from '../db/answers/session-answers'
import type { SessionRow } from '../db/rows'
import type { OwnerId } from '../domain/ids'
import { type Answer, NOT_UNDERSTOOD } from './answer'
import type { EngineEnv } from './env'
import { send } from './request'

export type Refreshed =
  | { readonly kind: 'fresh'; readonly access: string }
  /** Only these two codes end a session; in all other cases the user stays signed in. */
  | { readonly kind: 'ended'; readonly error_code: ReceivedErrorCode }
  | Extract<Answer, { kind: 'unavailable' | 'not-mine' }>

/**
 * Gets a new access token for `owner`, whose token `rejected` the server no longer takes. Shared by all tabs and the
 * service worker: under the lock, whoever comes second finds the first one's token. Inside the lock and again where it
 * writes, the session must still be the same one, or it would overwrite another user's.
 */
export async function refreshAccessToken(env: EngineEnv, owner: OwnerId, rejected: string): Promise<Refreshed> {
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
