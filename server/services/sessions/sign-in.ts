import { eq } from 'drizzle-orm'
import type { TokenAnswer } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import { readAccount } from '../accounts/account'
import { isSuperuserNow } from '../accounts/administrators'
import { requestMail } from '../mail/request-mail'
import { hashOfSecret, newSecret } from '../secrets'
import { rememberDevice } from './known-devices'
import { REFRESH_LIFETIME } from './refresh-token'
import { tokensFor } from './token-answer'
import type { Visit } from './visit'

/**
 * Begins a session of somebody who has just shown who they are, and whose address is verified. It cancels a scheduled
 * deletion, makes the browser known to the account, and tells its owner by mail of one that was not. Part of a transaction, which holds the user's row from here on.
 * @param now milliseconds since 1970
 * @throws ApiError FORBIDDEN when an operator has disabled the account, INVALID_CREDENTIALS when it is gone
 */
export async function signIn(
  tx: Queryable,
  { env, tokenKey }: Pick<AppParts, 'env' | 'tokenKey'>,
  userId: string,
  visit: Visit,
  now: number,
): Promise<TokenAnswer> {
  const account = await readAccount(tx, userId, 'held')
  if (account === undefined) throw new ApiError('INVALID_CREDENTIALS', 'This account does not exist any more.')
  if (!account.is_active) throw new ApiError('FORBIDDEN', 'This account has been disabled.')
  const changed = {
    deletion_scheduled_at: null,
    last_login_at: new Date(now),
    is_superuser: await isSuperuserNow(tx, env, account, now),
  }
  await tx.update(users).set(changed).where(eq(users.id, userId))
  const device = await rememberDevice(tx, userId, visit.deviceToken, now)
  if (device.isNew && account.last_login_at !== null) {
    await requestMail(tx, { kind: 'new-device', email: account.email, device: visit.deviceLabel }, now)
  }
  const [session] = await tx
    .insert(sessions)
    .values({
      user_id: userId,
      created_at: new Date(now),
      authenticated_at: new Date(now),
      device_label: visit.deviceLabel,
      device_id: device.id,
    }) // prettier-ignore
    .returning()
  if (session === undefined) throw new Error('The session was not inserted')
  const refreshToken = newSecret()
  await tx.insert(refresh_tokens).values({
    token_hash: hashOfSecret(refreshToken),
    session_id: session.id,
    expires_at: new Date(now + REFRESH_LIFETIME),
  })
  const tokens = await tokensFor({ env, tokenKey, now }, { ...account, ...changed }, session, refreshToken)
  const answer = device.token === null ? tokens : { ...tokens, device_token: device.token }
  return account.deletion_scheduled_at === null ? answer : { ...answer, deletion_cancelled: true }
}
