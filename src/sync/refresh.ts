import type { ErrorCode } from '../contract/errors'
import type * as z from 'zod'
import type { tokenAnswer } from '../contract/session'
import type { OwnerId } from '../domain/ids'
import type { Answer } from './answer'
import type { EngineEnv } from './env'
import { send } from './request'
import { writeTransaction } from '../db/with-room'

export type Refreshed =
  | { readonly kind: 'fresh'; readonly access: string }
  /** Only these two codes end a session; in all other cases the user stays signed in. */
  | { readonly kind: 'ended'; readonly error_code: ErrorCode }
  | Extract<Answer, { kind: 'unavailable' | 'not-mine' }>

/**
 * Gets a new access token for `owner`, whose token `expired` the server no longer takes. Shared by all tabs and the
 * service worker: under the lock, whoever comes second finds the first one's token. Inside the lock and again where it
 * writes, the session must still be the same one, or it would overwrite another user's.
 */
export async function refreshAccessToken(env: EngineEnv, owner: OwnerId, expired: string): Promise<Refreshed> {
  return env.locks.request('token-refresh', async () => {
    const session = await env.db.session.get('current')
    if (session?.owner !== owner || session.tokens === null) return { kind: 'not-mine' }
    if (session.tokens.access !== expired) return { kind: 'fresh', access: session.tokens.access }

    const { refresh } = session.tokens
    const answer = await send(env, { route: 'refreshToken', body: { refresh_token: refresh } }, {})
    switch (answer.kind) {
      case 'unavailable':
      case 'not-mine':
        return answer
      case 'refused':
        return answer.error_code === 'INVALID_REFRESH_TOKEN' || answer.error_code === 'INVALID_TOKEN'
          ? { kind: 'ended', error_code: answer.error_code }
          : { kind: 'unavailable', status: answer.status, message: answer.message, retryAfter: null }
      case 'unchanged':
        return { kind: 'unavailable', status: 304, message: 'The answer was not understood.', retryAfter: null }
      case 'ok':
        return storeTokens(env, owner, refresh, answer.value as z.infer<typeof tokenAnswer>)
    }
  })
}

async function storeTokens(
  { db }: EngineEnv,
  owner: OwnerId,
  presented: string,
  tokens: z.infer<typeof tokenAnswer>,
): Promise<Refreshed> {
  return writeTransaction(db, [db.session], async () => {
    const session = await db.session.get('current')
    if (session?.owner !== owner || session.tokens?.refresh !== presented) return { kind: 'not-mine' as const }
    await db.session.put({
      ...session,
      tokens: { access: tokens.access_token, refresh: tokens.refresh_token },
      user: tokens.user ?? session.user,
    })
    return { kind: 'fresh' as const, access: tokens.access_token }
  })
}
