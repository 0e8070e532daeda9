import type { Policies } from '../../contract/settings'
import type { User } from '../../contract/session'
import { changeOwnerSyncState, readOwnerSyncState } from '../../db/answers/owner-sync-state'
import { acceptUser } from '../../db/answers/session-answers'
import type { CallInput, CallResult } from '../../db/call'
import { readMeta } from '../../db/queries/meta'
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

/** For people; it comes with status 409. */
const CHANGED_MEANWHILE = 'The policies have just changed. Please read them again.'

/** Milliseconds: a page of the payment provider that was opened longer ago than this has been left. */
const VISIT = HOUR

/** Milliseconds between two looks at the account: changes by others show without a reload. */
const SPACING = MINUTE
/** The user may have changed the account on another device meanwhile. */
const SPACING_BACK = 5_000
/** A limit that this browser did not know has refused a mutation. */
const SPACING_WANTED = 2_000
/** The network is back: requests that began just before it went need not be waited out. */
export const SPACING_ONLINE = 2_000

/** Loads the account, its tier, its acceptance and its deletion, where that is due. */
export async function syncUser(env: EngineEnv, owner: OwnerId, reason: SyncReason): Promise<void> {
  const { needs_account_refresh: wanted } = await readOwnerSyncState(env.db, owner)
  const spaced = (await isReturn(env, owner, reason)) ? 0 : wanted === true ? SPACING_WANTED : spacing(reason)
  // A failure shows elsewhere: the session's end by itself, anything else in the status line.
  if (await claimWork(env, 'account', spaced)) await reloadUser(env)
}

/** True if the user may just have come back from the payment provider: the tier must be right at once. */
const isReturn = async (env: EngineEnv, owner: OwnerId, reason: SyncReason): Promise<boolean> =>
  (reason === 'start' || reason === 'visible') && isProviderVisit(env, owner)

function spacing(reason: SyncReason): number {
  switch (reason) {
    case 'online':
      return SPACING_ONLINE
    case 'start':
    case 'visible':
      return SPACING_BACK
    default:
      return SPACING
  }
}

/** Notes that the user is being led to a page of the payment provider, where the tier may change. */
export const noteProviderVisit = ({ db, now }: EngineEnv, owner: OwnerId): Promise<void> =>
  writeTransaction(db, [db.owners], () => changeOwnerSyncState(db, owner, { provider_visit: now() }))

/** True while the user may be coming back from a page of the payment provider, whose event may not have arrived. */
async function isProviderVisit({ db, now }: EngineEnv, owner: OwnerId): Promise<boolean> {
  const { provider_visit } = await readOwnerSyncState(db, owner)
  return provider_visit !== undefined && !isSpaced(provider_visit, VISIT, now())
}

/** Loads and stores the account: its tier, its acceptance, its deletion. */
export async function reloadUser(env: EngineEnv): Promise<CallResult<null>> {
  const { session, answer } = await askForUser(env)
  // The user may have accepted versions elsewhere that this browser does not know yet: the old ones are not asked for again.
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

/** Accepts the versions that the page showed. The server notes those in force: if they are others by now, nothing is sent. */
export async function acceptPolicies(env: EngineEnv, shown: CallInput<'acceptPolicies'>): Promise<CallResult<null>> {
  const versions = await loadVersions(env)
  if (versions.kind !== 'ok') return outcomeOf(versions)
  const { terms, privacy } = versions.value as Policies
  if (terms.version !== shown.terms || privacy.version !== shown.privacy) return failed(409, CHANGED_MEANWHILE)
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

async function storeUser({ db, now }: EngineEnv, before: SessionRow | null, answer: Answer): Promise<CallResult<null>> {
  if (answer.kind === 'ok') await acceptUser(db, before, answer.value as User, now())
  return outcomeOf(answer)
}
