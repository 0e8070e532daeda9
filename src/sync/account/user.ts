import * as z from 'zod/mini'
import type { Policies } from '../../contract/settings'
import type { User } from '../../contract/session'
import { changeOwnerSyncState, readOwnerSyncState } from '../../db/owner-sync-state'
import { acceptUser } from '../../db/answers/session-answers'
import type { CallFailure, CallInput, CallResult } from '../../db/call'
import { readMeta, writeMeta } from '../../db/database'
import { isAccountOutdated, noteHeld, noteHeldAccount, readAnnounced } from '../../db/held-revisions'
import { changeMeta, storeMeta, writeTransaction } from '../../db/write-transaction'
import { HOUR, MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import type { SyncReason } from '../../domain/sync-reason'
import {
  type Answer,
  asPresent,
  exchange,
  type OwnersAnswer,
  type RawAnswer,
  readAnswer,
  send,
  unanswered,
} from '../request'
import { claimWork, isFollowed, isLatest, isSpaced } from '../pacing'
import { failed, failureOf, outcomeOf } from '../call-result'
import type { EngineEnv } from '../env'

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

/** Milliseconds between two loads of the account, where one is due; null: the stream says when it changes. */
export async function dueUser(env: EngineEnv, owner: OwnerId, reason: SyncReason): Promise<number | null> {
  const isWanted = isAccountOutdated(await readOwnerSyncState(env.db, owner))
  const isBack = reason === 'start' || reason === 'visible'
  const spacing = reason === 'online' ? SPACING_ONLINE : isBack ? SPACING_BACK : SPACING
  if (spacing === SPACING && !isWanted && (await isFollowed(env))) return null
  // A user who comes back from the payment provider must see the right tier at once.
  const isReturn = (isBack || reason === 'online') && (await isProviderVisit(env, owner))
  return isReturn ? 0 : isWanted ? SPACING_WANTED : spacing
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
  const asking = await env.db.session.get('current')
  const told = asking && (await readOwnerSyncState(env.db, asking.owner)).told_account
  const { session, answer } = await askForUser(env)
  // A user who has accepted newer versions elsewhere is not asked to accept this browser's old ones.
  if (answer.kind === 'ok' && !(await areKnown(env, answer.value as User))) await loadVersions(env)
  if (answer.kind === 'ok' && session !== null) {
    const isKept = await acceptUser(env.db, session, answer.value as User, env.now())
    if (isKept && session.owner === asking?.owner) await noteHeldAccount(env.db, session.owner, told)
  }
  return outcomeOf(answer)
}

/** After a visit to the payment provider the server asks the provider first; else, or without its answer, `me` is read. */
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
  const { session, answer } = await asPresent(env, request)
  // No answer on its way undoes the acceptance.
  if (answer.kind === 'ok' && session !== null)
    await acceptUser(env.db, session, answer.value as User, env.now(), 'own-change')
  return outcomeOf(answer)
}

async function areKnown({ db }: EngineEnv, user: User): Promise<boolean> {
  const policies = (await readMeta(db, 'policies'))?.policies
  const isKnown = (accepted: string | null, version: string | undefined) => accepted === null || accepted === version
  return (
    isKnown(user.accepted_terms_version, policies?.terms.version) &&
    isKnown(user.accepted_privacy_version, policies?.privacy.version)
  )
}

/** Asks which policies are in force. */
export async function loadVersions(env: EngineEnv): Promise<Answer> {
  const { db, now } = env
  const claimed = (await claimWork(env, 'versions', 0))!
  const told = await readAnnounced(db, 'policies')
  const answer = await send(env, { route: 'currentPolicies' }, {})
  if (answer.kind === 'ok') {
    await writeTransaction(db, [db.meta], async () => {
      if (!(await isLatest(db, 'versions', claimed))) return
      await writeMeta(db, 'policies', { policies: answer.value as Policies, fetched_at: now() })
      await noteHeld(db, 'policies', told)
    })
  }
  return answer
}

const NOT_RETRIEVED = 'Could not retrieve policy data.'

/**
 * Asks with a sign-in which policies are in force, so that no user is let in by versions of long ago. Null: the sign-in
 * can go on, if need be with the versions stored before, which the engine then asks for again soon.
 */
export async function versionsForSignIn(env: EngineEnv): Promise<CallFailure | null> {
  const answer = await loadVersions(env)
  if (answer.kind === 'ok') return null
  const known = await readMeta(env.db, 'policies')
  if (known !== undefined) {
    await storeMeta(env.db, 'policies', { ...known, fetched_at: 0 })
    return null
  }
  const failure = failureOf(answer)
  return failure.status === 0 ? failure : { ...failure, message: NOT_RETRIEVED }
}

/** Loads the policies in force, and the texts of those whose version is not stored yet. */
export async function loadPolicies(env: EngineEnv): Promise<CallResult<null>> {
  const answer = await loadVersions(env)
  if (answer.kind !== 'ok') return outcomeOf(answer)
  const policies = answer.value as Policies
  const [terms, privacy] = await Promise.all([loadText(env, policies, 'terms'), loadText(env, policies, 'privacy')])
  return terms.ok ? privacy : terms
}

/** Only plain text is the policy: a captive portal answers every request with 200. */
function readText(raw: RawAnswer, now: number): Answer {
  const isText = raw.status === 200 && raw.header('content-type')?.startsWith('text/plain') === true
  return isText ? { kind: 'ok', value: raw.text, etag: null } : readAnswer({ answer: z.never() }, raw, now)
}

async function loadText(env: EngineEnv, policies: Policies, kind: keyof Policies): Promise<CallResult<null>> {
  const { db, origin, now } = env
  const { version, path } = policies[kind]
  if ((await readMeta(db, 'policy_texts'))?.[kind]?.version === version) return { ok: true, value: null }
  const request = exchange(env, new URL(path, origin).href, { headers: { Accept: 'text/plain' } })
  const answer = await request.then((raw) => readText(raw, now()), unanswered)
  if (answer.kind === 'ok') {
    const text = answer.value as string
    await changeMeta(db, 'policy_texts', (texts) => ({ ...texts, [kind]: { version, text } }))
  }
  return outcomeOf(answer)
}
