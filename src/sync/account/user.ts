import type { User } from '../../contract/session'
import type { Policies } from '../../contract/policies'
import type { AccountRequest, AccountResult } from '../../db/account-request'
import { acceptUser } from '../../db/answers/session-answers'
import type { SessionRow } from '../../db/rows'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import { asPresent } from './as-owner'
import { loadVersions } from './policies'
import { resultOf } from './result'

/** For people; it comes with status 409. */
const CHANGED_MEANWHILE = 'The policies have just changed. Please read them again.'

/** Asks what has become of the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<AccountResult> {
  const { session, answer } = await asPresent(env, { route: 'me' })
  return storeUser(env, session, answer)
}

/** Accepts what was shown. The server notes the versions in force: where those are others by now, nothing is sent. */
export async function acceptPolicies(
  env: EngineEnv,
  shown: Extract<AccountRequest, { kind: 'accept-policies' }>,
): Promise<AccountResult> {
  const versions = await loadVersions(env)
  if (versions.kind !== 'ok') return resultOf(versions)
  const { terms, privacy } = versions.value as Policies
  if (terms.version !== shown.terms || privacy.version !== shown.privacy) {
    return { ok: false, status: 409, error_code: null, message: CHANGED_MEANWHILE }
  }
  const body = { terms_accepted: true, privacy_accepted: true }
  const { answer } = await asPresent(env, { route: 'acceptPolicies', body })
  return storeUser(env, null, answer)
}

async function storeUser({ db, now }: EngineEnv, before: SessionRow | null, answer: Answer): Promise<AccountResult> {
  if (answer.kind === 'ok') await acceptUser(db, before, answer.value as User, now())
  return resultOf(answer)
}
