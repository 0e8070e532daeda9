import { readMeta } from '../../db/queries/meta'
import { HOUR, MINUTE } from '../../domain/granularity'
import { isSpaced } from '../backoff'
import { claim } from '../claim'
import type { EngineEnv } from '../env'
import type { SyncReason } from '../reason'
import { syncPush } from '../push/sync-push'
import { tidyNotifications } from '../push/tidy'
import { loadVersions } from './policies'
import { revokeLeft } from './revoke-left'
import { reloadUser } from './user'

/** Milliseconds between two looks at the account: what support changes shows without a reload. */
const ACCOUNT_SPACING = MINUTE
/** Milliseconds that the policies' versions hold, and between two attempts to get them. */
const POLICIES_AGE = HOUR
const POLICIES_SPACING = 30_000
/** The network is back: what was begun just before it went need not be waited out. */
const SPACING_ONLINE = 2_000

/** Tells the server of sessions that were left here and how this device is reached, and asks what has become of the user's account and the policies. */
export async function syncAccount(env: EngineEnv, reason: SyncReason): Promise<void> {
  const user = await isUserSignedIn(env)
  await Promise.all([
    revokeLeft(env, reason),
    syncPush(env, reason),
    tidyNotifications(env),
    ...(user ? [syncUser(env, reason), syncPolicies(env, reason)] : []),
  ])
}

const isUserSignedIn = async ({ db }: EngineEnv): Promise<boolean> =>
  ((await db.session.get('current'))?.tokens ?? null) !== null

const spacing = (reason: SyncReason, usual: number): number => (reason === 'online' ? SPACING_ONLINE : usual)

async function syncUser(env: EngineEnv, reason: SyncReason): Promise<void> {
  // Why it could not be had is said where it matters: the session's end by itself, anything else by the status line.
  if (await claim(env, 'account', spacing(reason, ACCOUNT_SPACING))) await reloadUser(env)
}

async function syncPolicies(env: EngineEnv, reason: SyncReason): Promise<void> {
  const stored = await readMeta(env.db, 'policies')
  if (!isSpaced(stored?.fetched_at, POLICIES_AGE, env.now())) return
  if (await claim(env, 'policies', spacing(reason, POLICIES_SPACING))) await loadVersions(env)
}
