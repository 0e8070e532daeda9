import { DEVICE_TOKEN_HEADER, type ResetPasswordAnswer } from '../../contract/session'
import type { AccountRequest, AccountResult } from '../../db/account-request'
import { readMeta } from '../../db/queries/meta'
import { storeMeta } from '../../db/store-meta'
import type { EngineEnv } from '../env'
import { send } from '../request'
import { resultOf } from './result'

/** Says which browser this is. An account that knows it counts wrong passwords from elsewhere apart. */
export async function deviceHeaders({ db }: EngineEnv): Promise<Readonly<Record<string, string>>> {
  const token = await readMeta(db, 'device_token')
  return token === undefined ? {} : { [DEVICE_TOKEN_HEADER]: token }
}

/** Sets a new password by the link of a mail; the account knows this browser from then on. */
export async function resetPassword(
  env: EngineEnv,
  { token, password }: Extract<AccountRequest, { kind: 'reset-password' }>,
): Promise<AccountResult> {
  const body = { token, new_password: password }
  const answer = await send(env, { route: 'resetPassword', body }, await deviceHeaders(env))
  if (answer.kind === 'ok') {
    const { device_token } = answer.value as ResetPasswordAnswer
    if (device_token !== undefined) await storeMeta(env.db, 'device_token', device_token)
  }
  return resultOf(answer)
}
