import type { TokenAnswer } from '../../../src/contract/session'
import type { AppParts } from '../../app-parts'
import { type Account, accountAnswer } from '../accounts/account'
import { signAccessToken } from './access-token'

interface Issuing extends Pick<AppParts, 'env' | 'tokenKey'> {
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A new access token beside the refresh token that the session has got (RFC 6749, 5.1), and whose they are. */
export async function tokensFor(
  { env, tokenKey, now }: Issuing,
  account: Account,
  sessionId: string,
  refreshToken: string,
): Promise<TokenAnswer> {
  const lifetime = env.ACCESS_TOKEN_TTL_SECONDS
  return {
    access_token: await signAccessToken(tokenKey, { userId: account.id, sessionId, now, lifetime }),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: lifetime,
    user: accountAnswer(account),
  }
}
