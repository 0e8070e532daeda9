import type { User } from '../../contract/session'
import type { AccountResult } from '../../db/account-request'
import { acceptUser } from '../../db/answers/sign-in'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import { asOwner } from './as-owner'
import { resultOf } from './result'

/** Asks what has become of the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<AccountResult> {
  return storeUser(env, (await asOwner(env, { route: 'me' })).answer)
}

export async function acceptPolicies(env: EngineEnv): Promise<AccountResult> {
  const body = { terms_accepted: true, privacy_accepted: true }
  return storeUser(env, (await asOwner(env, { route: 'acceptPolicies', body })).answer)
}

async function storeUser({ db, now }: EngineEnv, answer: Answer): Promise<AccountResult> {
  if (answer.kind === 'ok') await acceptUser(db, answer.value as User, now())
  return resultOf(answer)
}
