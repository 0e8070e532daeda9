import { forgetRefused } from '../../db/answers/fail-entry'
import { readMeta, writeMeta } from '../../db/database'
import { pruneIds } from '../../db/board-rows'
import { readPushRegistration } from '../../db/push-registration'
import { forgetOldRegistrations } from '../../db/registrations'
import { isVersionOutdated } from '../../db/held-revisions'
import { writeTransaction } from '../../db/write-transaction'
import { DAY, HOUR, MINUTE } from '../../domain/granularity'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineEnv } from '../env'
import { AGE_WHILE_FOLLOWED, backoff, claimWork, isFollowed, isRetryDue, isSpaced } from '../pacing'
import { syncPush, tidyNotifications } from '../push/sync-push'
import { send } from '../request'
import { dueUser, loadVersions, reloadUser, SPACING_ONLINE } from './user'

/** Milliseconds that the policies' versions hold, after a start or an outage, and between two attempts to get them. */
const POLICIES_AGE = HOUR
const POLICIES_AGE_BACK = MINUTE
const POLICIES_SPACING = 30_000

/** Ends sessions left here, keeps push registered, and loads the user's account and the policies where they are due. */
export async function syncAccount(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { db, now, push } = env
  // One read finds that nothing is due, as most often.
  const due = await db.transaction('r', [db.session, db.owners, db.meta], async () => {
    const [session, left, { stale }, begun] = await Promise.all([
      db.session.get('current'),
      readMeta(db, 'revocations'),
      readPushRegistration(db),
      readMeta(db, 'begun'),
    ])
    const isSignedIn = session?.tokens != null
    return {
      isLeft: left !== undefined && left.length > 0,
      isStale: stale.length > 0,
      isOld: isSpaced(begun?.['ids'], DAY, now()),
      user: isSignedIn ? await dueUser(env, session.owner, reason) : null,
      policies: isSignedIn && (await arePoliciesDue(env, reason)),
    }
  })
  const policiesSpacing = reason === 'online' ? SPACING_ONLINE : POLICIES_SPACING
  await Promise.all([
    due.isLeft && revokeLeft(env, reason),
    (due.isStale || push?.permission() === 'granted') && syncPush(env, reason),
    tidyNotifications(env),
    due.isOld && forgetOld(env),
    // A failure shows elsewhere: the session's end by itself, anything else in the status line.
    due.user !== null && ifClaimed(env, 'account', due.user, reloadUser),
    due.policies && ifClaimed(env, 'policies', policiesSpacing, loadVersions),
  ])
}

async function ifClaimed(
  env: EngineEnv,
  work: string,
  spacing: number,
  load: (env: EngineEnv) => Promise<unknown>,
): Promise<void> {
  if ((await claimWork(env, work, spacing)) !== null) await load(env)
}

/** Once a day: each counts the days by it, whatever the device's clock says. */
async function forgetOld(env: EngineEnv): Promise<void> {
  if ((await claimWork(env, 'ids', DAY)) === null) return
  await forgetOldRegistrations(env.db)
  await forgetRefused(env.db)
  await pruneIds(env.db)
}

async function arePoliciesDue(env: EngineEnv, reason: SyncReason): Promise<boolean> {
  const [stored, versions] = await Promise.all([readMeta(env.db, 'policies'), readMeta(env.db, 'versions')])
  const isBack = reason === 'start' || reason === 'online'
  const ageAllowed = isBack ? POLICIES_AGE_BACK : (await isFollowed(env)) ? AGE_WHILE_FOLLOWED : POLICIES_AGE
  const age = isVersionOutdated(versions, 'policies') ? 0 : ageAllowed
  return isSpaced(stored?.fetched_at, age, env.now())
}

/** Milliseconds at which the server is told of sessions that were left here; null: none are left. */
export async function revocationsDueAt({ db }: EngineEnv): Promise<number | null> {
  const read = () => Promise.all([readMeta(db, 'revocations'), readMeta(db, 'revocation_tries')])
  const [left, tries] = await db.transaction('r', db.meta, read)
  return left === undefined || left.length === 0 ? null : (tries?.not_before ?? 0)
}

/** Tells the server of the sessions that were left here while it could not be reached. */
async function revokeLeft(env: EngineEnv, reason: SyncReason): Promise<void> {
  const left = (await readMeta(env.db, 'revocations')) ?? []
  if (left.length === 0 || !(await claimTurn(env, reason))) return
  const gone = (await Promise.all(left.map(async (token) => ((await revoke(env, token)) ? token : [])))).flat()
  const { db } = env
  await writeTransaction(db, [db.meta], async () => {
    const rest = ((await readMeta(db, 'revocations')) ?? []).filter((token) => !gone.includes(token))
    await writeMeta(db, 'revocations', rest)
    if (rest.length === 0) await db.meta.delete('revocation_tries')
  })
}

/** True if the caller is to tell the server now. Each turn that fails puts the next one later. */
async function claimTurn({ db, now, random }: EngineEnv, reason: SyncReason): Promise<boolean> {
  return writeTransaction(db, [db.meta], async () => {
    const { failures, not_before } = (await readMeta(db, 'revocation_tries')) ?? { failures: 0, not_before: 0 }
    const isReachable = reason === 'online' || reason === 'background'
    if (!isReachable && !isRetryDue(not_before, now())) return false
    const next = { failures: failures + 1, not_before: now() + backoff(failures + 1, null, random()) }
    await writeMeta(db, 'revocation_tries', next)
    return true
  })
}

/** @returns true if the token has no session any more, which includes a token that the API refuses */
async function revoke(env: EngineEnv, token: string): Promise<boolean> {
  const answer = await send(env, { route: 'logOut', body: { refresh_token: token } }, {})
  return answer.kind === 'ok' || answer.kind === 'refused'
}
