import type { Policies } from '../../contract/settings'
import type { User } from '../../contract/session'
import { changeOwnerSyncState, readOwnerSyncState } from '../../db/answers/owner-sync-state'
import { acceptUser } from '../../db/answers/session-answers'
import type { CallInput, CallResult } from '../../db/call'
import { readMeta } from '../../db/database'
import type { SessionRow } from '../../db/rows'
import { writeTransaction } from '../../db/write-transaction'
import { HOUR, MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import type { SyncReason } from '../../domain/sync-reason'
import type { Answer } from '../request'
import { claimWork, isSpaced } from '../pacing'
import { failed, outcomeOf } from '../call-result'
import type { EngineEnv } from '../env'
import { asPresent, type OwnersAnswer } from '../send-as'
import { loadVersions } from './policies'

const CHANGED_MEANWHILE = 'The policies have just changed. Please read them again.'

/** Milliseconds: a page of the payment provider that was opened longer ago than this has been left. */
const VISIT = HOUR

/** Milliseconds between two reads of the account: changes by others show without a reload. */
const SPACING = MINUTE
/** The user is back, and may have changed the account on another device. */
const SPACING_BACK = 5_000
/** A limit that this browser did not know has refused a mutation. */
const SPACING_WANTED = 2_000
/** The network is back: no need to wait out requests that began just before it went. */
export const SPACING_ONLINE = 2_000

/** Loads the account, its tier, its acceptance and its deletion, where that is due. */
export async function syncUser(env: EngineEnv, owner: OwnerId, reason: SyncReason): Promise<void> {
  const { needs_account_refresh: isWanted } = await readOwnerSyncState(env.db, owner)
  const isBack = reason === 'start' || reason === 'visible'
  const spacing = reason === 'online' ? SPACING_ONLINE : isBack ? SPACING_BACK : SPACING
  // A user who comes back from the payment provider must see the right tier at once.
  const isReturn = isBack && (await isProviderVisit(env, owner))
  // A failure shows elsewhere: the session's end by itself, anything else in the status line.
  if (await claimWork(env, 'account', isReturn ? 0 : isWanted === true ? SPACING_WANTED : spacing))
    await reloadUser(env)
}

/** Notes that the user is being led to a page of the payment provider, where the tier may change. */
export const noteProviderVisit = ({ db, now }: EngineEnv, owner: OwnerId): Promise<void> =>
  writeTransaction(db, [db.owners], () => changeOwnerSyncState(db, owner, { provider_visit: now() }))

/** True while the user may be coming back from the payment provider, whose event may not have arrived. */
async function isProviderVisit({ db, now }: EngineEnv, owner: OwnerId): Promise<boolean> {
  const { provider_visit } = await readOwnerSyncState(db, owner)
  return provider_visit !== undefined && !isSpaced(provider_visit, VISIT, now())
}

/** Loads and stores the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<CallResult<null>> {
  const { session, answer } = await askForUser(env)
  // A user who has accepted newer versions elsewhere is not asked to accept this browser's old ones.
  if (answer.kind === 'ok' && !(await areKnown(env, answer.value as User))) await loadVersions(env)
  return storeUser(env, session, answer)
}

/** After a visit to the payment provider the server asks there first; where it cannot, it gives the account alone. */
async function askForUser(env: EngineEnv): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  if (session !== undefined && (await isProviderVisit(env, session.owner))) {
    const asked = await asPresent(env, { route: 'refreshSubscription', body: {} })
    const { answer } = asked
    if (answer.kind === 'ok' || (answer.kind === 'unavailable' && answer.status === 0)) return asked
  }
  return asPresent(env, { route: 'me' })
}

/** Accepts the versions that the page showed. The server notes those in force, so nothing is sent if others are by now. */
export async function acceptPolicies(env: EngineEnv, shown: CallInput<'acceptPolicies'>): Promise<CallResult<null>> {
  const versions = await loadVersions(env)
  if (versions.kind !== 'ok') return outcomeOf(versions)
  const { terms, privacy } = versions.value as Policies
  if (terms.version !== shown.terms || privacy.version !== shown.privacy) return failed(409, CHANGED_MEANWHILE)
  const request = { route: 'acceptPolicies', body: { terms_accepted: true, privacy_accepted: true } } as const
  return storeUser(env, null, (await asPresent(env, request)).answer)
}

async function areKnown({ db }: EngineEnv, user: User): Promise<boolean> {
  const policies = (await readMeta(db, 'policies'))?.policies
  const isKnown = (accepted: string | null, version: string | undefined) => accepted === null || accepted === version
  return (
    isKnown(user.accepted_terms_version, policies?.terms.version) &&
    isKnown(user.accepted_privacy_version, policies?.privacy.version)
  )
}

async function storeUser({ db, now }: EngineEnv, before: SessionRow | null, answer: Answer): Promise<CallResult<null>> {
  if (answer.kind === 'ok') await acceptUser(db, before, answer.value as User, now())
  return outcomeOf(answer)
}
