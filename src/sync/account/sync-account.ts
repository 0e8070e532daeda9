import { readMeta, writeMeta } from '../../db/database'
import { pruneIds } from '../../db/prune-ids'
import { forgetOldRegistrations } from '../../db/registrations'
import { isVersionOutdated } from '../../db/record-versions'
import { writeTransaction } from '../../db/write-transaction'
import { DAY, HOUR, MINUTE } from '../../domain/granularity'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineEnv } from '../env'
import { AGE_WHILE_FOLLOWED, isFollowed } from '../followed'
import { backoff, claimWork, isRetryDue, isSpaced } from '../pacing'
import { syncPush, tidyNotifications } from '../push/sync-push'
import { send } from '../request'
import { loadVersions, SPACING_ONLINE, syncUser } from './user'

/** Milliseconds that the policies' versions hold, after a start or an outage, and between two attempts to get them. */
const POLICIES_AGE = HOUR
const POLICIES_AGE_BACK = MINUTE
const POLICIES_SPACING = 30_000

/** Ends sessions left here, keeps push registered, and loads the user's account and the policies where they are due. */
export async function syncAccount(env: EngineEnv, reason: SyncReason): Promise<void> {
  const session = await env.db.session.get('current')
  await Promise.all([
    revokeLeft(env, reason),
    syncPush(env, reason),
    tidyNotifications(env),
    forgetOldRegistrations(env.db, env.now()),
    forgetOldIds(env),
    ...(session?.tokens == null ? [] : [syncUser(env, session.owner, reason), syncPolicies(env, reason)]),
  ])
}

/** Once a day: every read of the board reads all ids. */
async function forgetOldIds(env: EngineEnv): Promise<void> {
  if (await claimWork(env, 'ids', DAY)) await pruneIds(env.db, env.now())
}

async function syncPolicies(env: EngineEnv, reason: SyncReason): Promise<void> {
  const [stored, versions] = await Promise.all([readMeta(env.db, 'policies'), readMeta(env.db, 'versions')])
  const isBack = reason === 'start' || reason === 'online'
  const ageAllowed = isBack ? POLICIES_AGE_BACK : (await isFollowed(env)) ? AGE_WHILE_FOLLOWED : POLICIES_AGE
  const age = isVersionOutdated(versions, 'policies') ? 0 : ageAllowed
  if (!isSpaced(stored?.fetched_at, age, env.now())) return
  if (await claimWork(env, 'policies', reason === 'online' ? SPACING_ONLINE : POLICIES_SPACING)) await loadVersions(env)
}

/** Milliseconds at which the server is told of sessions that were left here; null: none are left. */
export async function revocationsDueAt({ db }: EngineEnv): Promise<number | null> {
  const [left, tries] = await Promise.all([readMeta(db, 'revocations'), readMeta(db, 'revocation_tries')])
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
