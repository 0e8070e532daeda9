import type { User } from '../../contract/session'
import type { Policies } from '../../contract/policies'
import type { AccountRequest, AccountResult } from '../../db/account-request'
import { acceptUser } from '../../db/answers/session-answers'
import { readMeta } from '../../db/queries/meta'
import type { SessionRow } from '../../db/rows'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import { asPresent, type OwnersAnswer } from './as-owner'
import { loadVersions } from './policies'
import { isProviderVisit } from './provider-visit'
import { resultOf } from './result'

/** For people; it comes with status 409. */
const CHANGED_MEANWHILE = 'The policies have just changed. Please read them again.'

/** Asks what has become of the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<AccountResult> {
  const { session, answer } = await askForUser(env)
  // Versions that this browser does not know yet may have been accepted elsewhere: nobody is asked for the old ones again.
  if (answer.kind === 'ok' && !(await areKnown(env, answer.value as User))) await loadVersions(env)
  return storeUser(env, session, answer)
}

/** After a visit to the payment provider the server asks there first; one that cannot is asked for the account alone. */
async function askForUser(env: EngineEnv): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  if (session !== undefined && (await isProviderVisit(env, session.owner))) {
    const asked = await asPresent(env, { route: 'refreshSubscription', body: {} })
    const { answer } = asked
    if (answer.kind === 'ok' || (answer.kind === 'unavailable' && answer.status === 0)) return asked
  }
  return asPresent(env, { route: 'me' })
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

async function areKnown({ db }: EngineEnv, user: User): Promise<boolean> {
  const policies = (await readMeta(db, 'policies'))?.policies
  const isKnown = (accepted: string | null, version: string | undefined) => accepted === null || accepted === version
  return (
    isKnown(user.accepted_terms_version, policies?.terms.version) &&
    isKnown(user.accepted_privacy_version, policies?.privacy.version)
  )
}

async function storeUser({ db, now }: EngineEnv, before: SessionRow | null, answer: Answer): Promise<AccountResult> {
  if (answer.kind === 'ok') await acceptUser(db, before, answer.value as User, now())
  return resultOf(answer)
}
