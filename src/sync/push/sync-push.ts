import type { PushSubscriptionBody } from '../../contract/alerts'
import { changePushRegistration, readPushRegistration } from '../../db/push-registration'
import { readMeta } from '../../db/queries/meta'
import type { MetaRows } from '../../db/rows'
import type { AlertData } from '../../domain/alert-notification'
import { messageOf } from '../../domain/error-message'
import { HOUR, MINUTE } from '../../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineEnv } from '../env'
import { inTime } from '../in-time'
import { backoff, claimWork, isSpaced } from '../pacing'
import { endProblem, report } from '../report'
import { bodyOf, hasKey, type PushDevice, SUBSCRIBE_LIMIT } from './device'
import type { CallInput, CallResult } from '../../db/call'
import { outcomeOf } from '../call-result'
import type { Answer } from '../request'
import { asPresent, sendAs } from '../send-as'

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

/** Milliseconds after which a registration that the server refused is tried again. */
const AFTER_REFUSAL = HOUR

type Registered = NonNullable<MetaRows['push']['registered']>

/** True if the server has accepted exactly this subscription for the owner. */
const isRegistered = (
  { registered }: Pick<MetaRows['push'], 'registered'>,
  owner: OwnerId,
  subscription: PushSubscriptionBody,
): boolean =>
  registered?.owner === owner &&
  registered.outdated !== true &&
  JSON.stringify(registered.subscription) === JSON.stringify(subscription)

/** Registers the subscription for the present owner; an endpoint that another owner had moves to this one. */
async function registerPush(env: EngineEnv, subscription: PushSubscriptionBody): Promise<Answer> {
  const { session, answer } = await asPresent(env, { route: 'subscribePush', body: subscription })
  if (session === null) return answer
  const { owner } = session
  await changePushRegistration(env.db, (state) => {
    // The user switched push off meanwhile: `unregisterStale` comes next.
    if (state.off) return null
    const registered = { owner, subscription }
    if (answer.kind === 'ok')
      return { registered, deferred: null, stale: [...state.stale, ...replaced(state.registered, registered)] }
    return { deferred: { owner, endpoint: subscription.endpoint, at: env.now(), spacing: spacingAfter(env, answer) } }
  })
  return answer
}

/** A browser has one subscription: the one before is stale. The server is not asked in the name of a user who has logged out. */
function replaced(
  before: Registered | null,
  { owner, subscription: { endpoint } }: Registered,
): MetaRows['push']['stale'] {
  if (before === null || before.subscription.endpoint === endpoint) return []
  const isSpokenFor = before.owner === owner || isAnonymousOwner(before.owner)
  return isSpokenFor ? [{ owner: before.owner, endpoint: before.subscription.endpoint }] : []
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

/** The user wants to be reached here. */
export async function subscribePush(
  env: EngineEnv,
  subscription: CallInput<'subscribePush'>,
): Promise<CallResult<null>> {
  const { endpoint } = subscription
  await changePushRegistration(env.db, ({ stale }) => ({
    off: false,
    stale: stale.filter((one) => one.endpoint !== endpoint),
  }))
  return env.locks.request('push', async () => {
    const session = await env.db.session.get('current')
    // The browser has subscribed: that it once could not is over, whatever the server says now.
    await endProblem(env, 'push')
    if (session !== undefined && isRegistered(await readPushRegistration(env.db), session.owner, subscription))
      return DONE
    return outcomeOf(await registerPush(env, subscription))
  })
}

/** The user does not want to be reached here any more; the server hears of it now or later. */
export async function unsubscribePush(
  env: EngineEnv,
  { endpoint }: CallInput<'unsubscribePush'>,
): Promise<CallResult<null>> {
  const { db } = env
  const session = await db.session.get('current')
  await changePushRegistration(db, ({ registered, stale }) => {
    const over = new Map(stale.map((one) => [one.endpoint, one]))
    if (registered !== null) {
      const { owner, subscription } = registered
      over.set(subscription.endpoint, { owner, endpoint: subscription.endpoint })
    }
    if (endpoint !== null && session !== undefined && !over.has(endpoint)) {
      over.set(endpoint, { owner: session.owner, endpoint })
    }
    return { off: true, registered: null, deferred: null, stale: [...over.values()] }
  })
  await endProblem(env, 'push')
  return env.locks.request('push', async () => {
    const answers = await unregisterStale(env)
    return answers.map(outcomeOf).find(({ ok }) => !ok) ?? DONE
  })
}
