import type { PushSubscriptionBody } from '../../contract/push'
import { readPushBook } from '../../db/push-book'
import { readMeta } from '../../db/queries/meta'
import type { MetaRows } from '../../db/rows'
import { MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import { isSpaced } from '../backoff'
import { claim } from '../claim'
import type { EngineEnv } from '../env'
import { inTime } from '../in-time'
import type { SyncReason } from '../reason'
import { endProblem, report } from '../report'
import { bodyOf, hasKey, type PushDevice, SUBSCRIBE_LIMIT } from './device'
import { isTold, tellLeft, tellServer } from './tell'

/** Milliseconds between two attempts to be reached again, and to tell the server at a start what it knows already. */
const RENEWAL_SPACING = 10 * MINUTE
const START_SPACING = MINUTE
const LEFT_SPACING = 5_000

/**
 * Keeps the server told where whoever uses this browser is reached: after a login or logout somebody else is, after a
 * change of the server's key or a loss the browser subscribes anew, and at every start it is said again.
 */
export async function syncPush(env: EngineEnv, reason: SyncReason): Promise<void> {
  await keepTold(env, reason)
  const { left } = await readPushBook(env.db)
  if (left.length > 0 && (await claim(env, 'push-left', reason === 'online' ? 0 : LEFT_SPACING))) {
    await env.locks.request('push', () => tellLeft(env))
  }
}

async function keepTold(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { push } = env
  if (push === undefined || push.permission() !== 'granted') return
  const subscription = await presentSubscription(env, push)
  // A problem said before this is mended by a subscription that stands, whoever made it.
  if (subscription !== null) await endProblem(env, 'push')
  if (subscription === null || !(await isToBeTold(env, subscription, reason))) return
  await env.locks.request('push', async () => {
    // Switched off while the lock was another's.
    if (!(await readPushBook(env.db)).off) await tellServer(env, subscription)
  })
}

async function isToBeTold(env: EngineEnv, subscription: PushSubscriptionBody, reason: SyncReason): Promise<boolean> {
  const [book, session] = await Promise.all([readPushBook(env.db), env.db.session.get('current')])
  if (book.off || session === undefined) return false
  if (isTold(book, session.owner, subscription)) {
    return reason === 'start' && (await claim(env, 'push', START_SPACING))
  }
  return reason === 'start' || reason === 'online' || isDue(env, book, session.owner, subscription)
}

function isDue(
  { now }: EngineEnv,
  { put_off }: MetaRows['push'],
  owner: OwnerId,
  { endpoint }: PushSubscriptionBody,
): boolean {
  const isSame = put_off?.owner === owner && put_off.endpoint === endpoint
  return !isSame || isSpaced(put_off.at, put_off.spacing, now())
}

/** What reaches this browser now; null: nothing does, and nothing is to. */
async function presentSubscription(env: EngineEnv, push: PushDevice): Promise<PushSubscriptionBody | null> {
  const [{ off, told }, config, present] = await Promise.all([
    readPushBook(env.db),
    readMeta(env.db, 'config'),
    push.current(),
  ])
  if (off) return null
  const key = config?.config.vapid_public_key ?? null
  const isLost = present === null && told !== null
  const isOfOtherKey = present !== null && key !== null && !hasKey(present, key)
  if (!isLost && !isOfOtherKey) return present === null ? null : bodyOf(present)
  return key === null ? null : renewed(env, push, key)
}

const NOT_RENEWED = 'Notifications no longer reach this device. Please switch them on again.'
const NO_PUSH_SERVICE = 'No push service answered within 10 seconds.'

async function renewed(env: EngineEnv, push: PushDevice, key: string): Promise<PushSubscriptionBody | null> {
  if (!(await claim(env, 'push-renewal', RENEWAL_SPACING))) return null
  try {
    const body = bodyOf(await inTime(push.subscribe(key), SUBSCRIBE_LIMIT, NO_PUSH_SERVICE, env.timer))
    await report(env, 'push', { kind: 'ok' })
    return body
  } catch (error) {
    const sentence = `${NOT_RENEWED} ${error instanceof Error ? error.message : String(error)}`
    // No status of a server: the browser has spoken.
    await report(env, 'push', { kind: 'failed', status: -1, sentence })
    return null
  }
}
