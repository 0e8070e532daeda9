import type { TokenAnswer } from '../../../src/contract/session'
import type { AppParts } from '../../app-parts'
import type { sessions } from '../../db/schema/sessions'
import { type Account, accountAnswer } from '../accounts/account'
import { hashOfSecret } from '../secrets'
import { signAccessToken } from './access-token'
import { SESSION_LIFETIME } from './refresh-token'

interface Issuing extends Pick<AppParts, 'env' | 'tokenKey'> {
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A new access token beside the refresh token that the session has got (RFC 6749, 5.1), and whose they are. It ends with the session at the latest. */
export async function tokensFor(
  { env, tokenKey, now }: Issuing,
  account: Account,
  session: Pick<typeof sessions.$inferSelect, 'id' | 'created_at'>,
  refreshToken: string,
): Promise<TokenAnswer> {
  const left = Math.floor((session.created_at.getTime() + SESSION_LIFETIME - now) / 1000)
  const lifetime = Math.max(0, Math.min(env.ACCESS_TOKEN_TTL_SECONDS, left))
  const bearer = { userId: account.id, sessionId: session.id, refreshHash: hashOfSecret(refreshToken) }
  return {
    access_token: await signAccessToken(tokenKey, { ...bearer, now, lifetime }),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: lifetime,
    user: accountAnswer(account),
  }
}
