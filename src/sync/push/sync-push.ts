import type { PushSubscriptionBody, SubscribedPush } from '../../contract/alerts'
import type { CallResult } from '../../db/call'
import { readMeta } from '../../db/database'
import { changePushRegistration, readPushRegistration } from '../../db/push-registration'
import type { MetaRows } from '../../db/rows'
import type { AlertData, DigestData } from '../../domain/alert-notification'
import { messageOf } from '../../domain/error-message'
import { HOUR, MINUTE } from '../../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import type { SyncReason } from '../../domain/sync-reason'
import { outcomeOf, type PerformCall } from '../call-result'
import type { EngineEnv } from '../env'
import { inTime } from '../in-time'
import { backoff, claimWork, isSpaced } from '../pacing'
import { readKinds, readReceipts } from '../known-kinds'
import { endProblem, report } from '../report'
import { type Answer, asPresent, sendAs } from '../request'
import { bodyOf, hasKey, type PushDevice, SUBSCRIBE_LIMIT } from './device'

/** Closes the notifications of owners who no longer use this browser. */
export async function tidyNotifications({ db, push }: EngineEnv): Promise<void> {
  const shown = (await push?.shown()) ?? []
  if (shown.length === 0) return
  const session = await db.session.get('current')
  for (const notification of shown) {
    const data = notification.data as AlertData | DigestData | null
    if (data !== null && data.owner !== session?.owner) notification.close()
  }
}

/** Milliseconds between two new subscriptions, and between two repeated registrations at a start. */
const RENEWAL_SPACING = 10 * MINUTE
const START_SPACING = MINUTE
const STALE_SPACING = 5_000

/**
 * Keeps this browser registered for its present owner, who changes with a login or logout. After a change of the server's
 * key or a loss the browser subscribes anew, and every start registers again.
 */
export async function syncPush(env: EngineEnv, reason: SyncReason): Promise<void> {
  await keepRegistered(env, reason)
  const { stale } = await readPushRegistration(env.db)
  if (stale.length > 0 && (await claimWork(env, 'push-stale', reason === 'online' ? 0 : STALE_SPACING)) !== null) {
    await env.locks.request('push', () => unregisterStale(env))
  }
}

async function keepRegistered(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { push } = env
  if (push === undefined || push.permission() !== 'granted') return
  const subscription = await presentSubscription(env, push)
  if (subscription === null) return
  // A subscription, whichever context made it, ends the problem of having none.
  await endProblem(env, 'push')
  if (!(await needsRegistration(env, subscription, reason))) return
  await env.locks.request('push', async () => {
    // The user may have switched push off while another context held the lock.
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
  if (isRegistered(state, session.owner, subscription, await readKinds(env.db))) {
    return reason === 'start' && (await claimWork(env, 'push', START_SPACING)) !== null
  }
  if (reason === 'start' || reason === 'online') return true
  const { deferred } = state
  const isDeferred = deferred?.owner === session.owner && deferred.endpoint === subscription.endpoint
  return !isDeferred || isSpaced(deferred.at, deferred.spacing, env.now())
}

/** Push subscription of this browser; null: none, or none is wanted. */
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
  if ((await claimWork(env, 'push-renewal', RENEWAL_SPACING)) === null) return null
  try {
    const body = bodyOf(await inTime(push.subscribe(key), SUBSCRIBE_LIMIT, NO_PUSH_SERVICE, env.timer))
    await report(env, 'push', { kind: 'ok' })
    return body
  } catch (error) {
    // -1: the browser refused, not a server.
    await report(env, 'push', { kind: 'failed', status: -1, sentence: `${NOT_RENEWED} ${messageOf(error)}` })
    return null
  }
}

/** Milliseconds after which a registration that the server refused is tried again. */
const AFTER_REFUSAL = HOUR

/** True if the server has accepted exactly this subscription for the owner, and for the kinds of alerts that can be shown. */
const isRegistered = (
  { registered }: Pick<MetaRows['push'], 'registered'>,
  owner: OwnerId,
  subscription: PushSubscriptionBody,
  kinds: readonly string[] | undefined,
): boolean =>
  registered?.owner === owner &&
  registered.outdated !== true &&
  JSON.stringify([registered.subscription, registered.kinds]) === JSON.stringify([subscription, kinds])

/** Registers the subscription for the present owner; an endpoint that another owner had moves to this one. */
async function registerPush(env: EngineEnv, subscription: PushSubscriptionBody): Promise<Answer> {
  const [kinds, receipts] = await Promise.all([readKinds(env.db), readReceipts(env.db)])
  const { session, answer } = await asPresent(env, {
    route: 'subscribePush',
    body: { ...subscription, kinds, receipts },
  })
  if (session === null) return answer
  const { receipt_secret: receipt, id } =
    answer.kind === 'ok' ? ((answer.value as Partial<SubscribedPush> | null) ?? {}) : {}
  const { owner } = session
  await changePushRegistration(env.db, (state) => {
    // The user switched push off meanwhile: `unregisterStale` comes next.
    if (state.off) return null
    if (answer.kind === 'ok') {
      const stale = [...state.stale, ...replaced(state.registered, owner, subscription)]
      return { registered: { owner, subscription, kinds, receipt, id }, deferred: null, stale }
    }
    return { deferred: { owner, endpoint: subscription.endpoint, at: env.now(), spacing: spacingAfter(env, answer) } }
  })
  return answer
}

/** A browser has one subscription, so the former is stale. No request is made in the name of a user who has logged out. */
function replaced(
  before: MetaRows['push']['registered'],
  owner: OwnerId,
  { endpoint }: PushSubscriptionBody,
): MetaRows['push']['stale'] {
  if (before === null || before.subscription.endpoint === endpoint) return []
  return before.owner === owner || isAnonymousOwner(before.owner)
    ? [{ owner: before.owner, endpoint: before.subscription.endpoint }]
    : []
}

const spacingAfter = ({ random }: EngineEnv, answer: Answer): number =>
  answer.kind === 'refused' && answer.status !== 401
    ? AFTER_REFUSAL
    : backoff(1, answer.kind === 'unavailable' ? answer.retryAfter : null, random())

/** Unregisters each stale endpoint as its owner; those of a user who has logged out wait. */
async function unregisterStale(env: EngineEnv): Promise<readonly Answer[]> {
  const { stale } = await readPushRegistration(env.db)
  return Promise.all(
    stale.map(async ({ owner, endpoint }) => {
      const answer = await sendAs(env, owner, { route: 'unsubscribePush', body: { endpoint } })
      const isOver = answer.kind === 'ok' || (answer.kind === 'refused' && answer.status !== 401)
      if (isOver) {
        await changePushRegistration(env.db, (state) => ({
          stale: state.stale.filter((one) => one.endpoint !== endpoint),
        }))
      }
      return answer
    }),
  )
}

const DONE: CallResult<null> = { ok: true, value: null }

/** The user switches push on in this browser, which has subscribed. */
export const subscribePush: PerformCall<'subscribePush'> = async (env, subscription) => {
  const { endpoint } = subscription
  await changePushRegistration(env.db, ({ stale }) => ({
    off: false,
    stale: stale.filter((one) => one.endpoint !== endpoint),
  }))
  return env.locks.request('push', async () => {
    const session = await env.db.session.get('current')
    // The browser could subscribe, which ends that problem even if the server refuses.
    await endProblem(env, 'push')
    const [state, kinds] = await Promise.all([readPushRegistration(env.db), readKinds(env.db)])
    if (session !== undefined && isRegistered(state, session.owner, subscription, kinds)) return DONE
    return outcomeOf(await registerPush(env, subscription))
  })
}

/** The user switches push off in this browser; the server is told now or later. */
export const unsubscribePush: PerformCall<'unsubscribePush'> = async (env, { endpoint }) => {
  const { db } = env
  const session = await db.session.get('current')
  await changePushRegistration(db, ({ registered, stale }) => {
    const owners = new Map(stale.map((one) => [one.endpoint, one.owner]))
    if (registered !== null) owners.set(registered.subscription.endpoint, registered.owner)
    if (endpoint !== null && session !== undefined && !owners.has(endpoint)) owners.set(endpoint, session.owner)
    const all = Array.from(owners, ([address, owner]) => ({ owner, endpoint: address }))
    return { off: true, registered: null, deferred: null, stale: all }
  })
  await endProblem(env, 'push')
  return env.locks.request('push', async () => {
    const answers = await unregisterStale(env)
    return answers.map(outcomeOf).find(({ ok }) => !ok) ?? DONE
  })
}
