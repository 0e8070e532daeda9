import { pruneIds } from '../../db/prune-ids'
import { readMeta } from '../../db/queries/meta'
import { forgetOldRegistrations } from '../../db/registrations'
import { DAY, HOUR, MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import { isSpaced } from '../backoff'
import { claim } from '../claim'
import type { EngineEnv } from '../env'
import type { SyncReason } from '../reason'
import { syncPush } from '../push/sync-push'
import { tidyNotifications } from '../push/tidy'
import { loadVersions } from './policies'
import { revokeLeft } from './revoke-left'
import { SPACING_ONLINE, syncUser } from './sync-user'

/** Milliseconds that the policies' versions hold, after a start or an outage, and between two attempts to get them. */
const POLICIES_AGE = HOUR
const POLICIES_AGE_BACK = MINUTE
const POLICIES_SPACING = 30_000

/** Tells the server of sessions that were left here and how this device is reached, and asks what has become of the user's account and the policies. */
export async function syncAccount(env: EngineEnv, reason: SyncReason): Promise<void> {
  const user = await signedInUser(env)
  await Promise.all([
    revokeLeft(env, reason),
    syncPush(env, reason),
    tidyNotifications(env),
    forgetOldRegistrations(env.db, env.now()),
    forgetOldIds(env),
    ...(user === null ? [] : [syncUser(env, user, reason), syncPolicies(env, reason)]),
  ])
}

/** Once a day: every look at the board reads all ids. */
async function forgetOldIds(env: EngineEnv): Promise<void> {
  if (await claim(env, 'ids', DAY)) await pruneIds(env.db, env.now())
}

async function signedInUser({ db }: EngineEnv): Promise<OwnerId | null> {
  const session = await db.session.get('current')
  return session === undefined || session.tokens === null ? null : session.owner
}

async function syncPolicies(env: EngineEnv, reason: SyncReason): Promise<void> {
  const stored = await readMeta(env.db, 'policies')
  const age = reason === 'start' || reason === 'online' ? POLICIES_AGE_BACK : POLICIES_AGE
  if (!isSpaced(stored?.fetched_at, age, env.now())) return
  if (await claim(env, 'policies', reason === 'online' ? SPACING_ONLINE : POLICIES_SPACING)) await loadVersions(env)
}
