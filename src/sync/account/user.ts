import type { User } from '../../contract/session'
import type { AccountResult } from '../../db/account-request'
import { acceptUser } from '../../db/answers/session-answers'
import type { EngineEnv } from '../env'
import { asPresent, type OwnersAnswer } from './as-owner'
import { resultOf } from './result'

/** Asks what has become of the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<AccountResult> {
  return storeUser(env, await asPresent(env, { route: 'me' }))
}

export async function acceptPolicies(env: EngineEnv): Promise<AccountResult> {
  const body = { terms_accepted: true, privacy_accepted: true }
  return storeUser(env, await asPresent(env, { route: 'acceptPolicies', body }))
}

async function storeUser({ db, now }: EngineEnv, { session, answer }: OwnersAnswer): Promise<AccountResult> {
  if (answer.kind === 'ok' && session !== null) await acceptUser(db, session, answer.value as User, now())
  return resultOf(answer)
}
