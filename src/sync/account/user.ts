import type { User } from '../../contract/session'
import type { AccountResult } from '../../db/account-request'
import { acceptUser } from '../../db/answers/session-answers'
import type { SessionRow } from '../../db/rows'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import { asPresent } from './as-owner'
import { resultOf } from './result'

/** Asks what has become of the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<AccountResult> {
  const { session, answer } = await asPresent(env, { route: 'me' })
  return storeUser(env, session, answer)
}

export async function acceptPolicies(env: EngineEnv): Promise<AccountResult> {
  const body = { terms_accepted: true, privacy_accepted: true }
  const { answer } = await asPresent(env, { route: 'acceptPolicies', body })
  return storeUser(env, null, answer)
}

async function storeUser({ db, now }: EngineEnv, before: SessionRow | null, answer: Answer): Promise<AccountResult> {
  if (answer.kind === 'ok') await acceptUser(db, before, answer.value as User, now())
  return resultOf(answer)
}
