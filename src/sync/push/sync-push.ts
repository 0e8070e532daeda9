import type { PushSubscriptionBody } from '../../contract/push'
import { readPushRegistration } from '../../db/push-registration'
import { readMeta } from '../../db/queries/meta'
import type { MetaRows } from '../../db/rows'
import type { AlertData } from '../../domain/alert-notification'
import { messageOf } from '../../domain/error-message'
import { MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineEnv } from '../env'
import { inTime } from '../in-time'
import { claimWork, isSpaced } from '../pacing'
import { endProblem, report } from '../report'
import { bodyOf, hasKey, type PushDevice, SUBSCRIBE_LIMIT } from './device'
import { isRegistered, registerPush, unregisterStale } from './register'

/** Takes away what is still shown of alerts of somebody who does not use this browser any more. */
export async function tidyNotifications({ db, push }: EngineEnv): Promise<void> {
  const shown = (await push?.shown()) ?? []
  if (shown.length === 0) return
  const session = await db.session.get('current')
  for (const notification of shown) {
    const data = notification.data as AlertData | null
    if (data !== null && data.owner !== session?.owner) notification.close()
  }
}

/** Milliseconds between two new subscriptions, and between two registrations at a start that the server has already. */
const RENEWAL_SPACING = 10 * MINUTE
const START_SPACING = MINUTE
const STALE_SPACING = 5_000

/**
 * Keeps this browser registered for its present owner: after a login or logout another owner is, after a change of the
 * server's key or a loss the browser subscribes anew, and every start registers again.
 */
export async function syncPush(env: EngineEnv, reason: SyncReason): Promise<void> {
  await keepRegistered(env, reason)
  const { stale } = await readPushRegistration(env.db)
  if (stale.length > 0 && (await claimWork(env, 'push-stale', reason === 'online' ? 0 : STALE_SPACING))) {
    await env.locks.request('push', () => unregisterStale(env))
  }
}

async function keepRegistered(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { push } = env
  if (push === undefined || push.permission() !== 'granted') return
  const subscription = await presentSubscription(env, push)
  // A problem said before this is mended by a subscription that stands, whoever made it.
  if (subscription !== null) await endProblem(env, 'push')
  if (subscription === null || !(await needsRegistration(env, subscription, reason))) return
  await env.locks.request('push', async () => {
    // Switched off while the lock was another's.
    if (!(await readPushRegistration(env.db)).off) await registerPush(env, subscription)
  })
}

async function needsRegistration(
  env: EngineEnv,
  subscription: PushSubscriptionBody,
  reason: SyncReason,
): Promise<boolean> {
  const [state, session] = await Promise.all([readPushRegistration(env.db), env.db.session.get('current')])
  if (state.off || session === undefined) return false
  if (isRegistered(state, session.owner, subscription)) {
    return reason === 'start' && (await claimWork(env, 'push', START_SPACING))
  }
  return reason === 'start' || reason === 'online' || isDeferralOver(env, state, session.owner, subscription)
}

function isDeferralOver(
  { now }: EngineEnv,
  { deferred }: MetaRows['push'],
  owner: OwnerId,
  { endpoint }: PushSubscriptionBody,
): boolean {
  const isSame = deferred?.owner === owner && deferred.endpoint === endpoint
  return !isSame || isSpaced(deferred.at, deferred.spacing, now())
}

/** Push subscription of this browser; null: none, and none is wanted. */
async function presentSubscription(env: EngineEnv, push: PushDevice): Promise<PushSubscriptionBody | null> {
  const [{ off, registered }, config, present] = await Promise.all([
    readPushRegistration(env.db),
    readMeta(env.db, 'config'),
    push.current(),
  ])
  if (off) return null
  const key = config?.config.vapid_public_key ?? null
  const isLost = present === null && registered !== null
  const isOfOtherKey = present !== null && key !== null && !hasKey(present, key)
  if (!isLost && !isOfOtherKey) return present === null ? null : bodyOf(present)
  return key === null ? null : renewed(env, push, key)
}

const NOT_RENEWED = 'Notifications no longer reach this device. Please switch them on again.'
const NO_PUSH_SERVICE = 'No push service answered within 10 seconds.'

async function renewed(env: EngineEnv, push: PushDevice, key: string): Promise<PushSubscriptionBody | null> {
  if (!(await claimWork(env, 'push-renewal', RENEWAL_SPACING))) return null
  try {
    const body = bodyOf(await inTime(push.subscribe(key), SUBSCRIBE_LIMIT, NO_PUSH_SERVICE, env.timer))
    await report(env, 'push', { kind: 'ok' })
    return body
  } catch (error) {
    const sentence = `${NOT_RENEWED} ${messageOf(error)}`
    // No status of a server: the browser has spoken.
    await report(env, 'push', { kind: 'failed', status: -1, sentence })
    return null
  }
}
