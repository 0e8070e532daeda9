import type { PushSubscriptionBody } from '../../contract/push'
import type { CallInput, CallResult } from '../../db/call'
import { changePushRegistration, readPushRegistration } from '../../db/push-registration'
import type { MetaRows } from '../../db/rows'
import { HOUR } from '../../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import { outcomeOf } from '../call-result'
import type { EngineEnv } from '../env'
import { backoff } from '../pacing'
import { endProblem } from '../report'
import type { Answer } from '../request'
import { asPresent, sendAs } from '../send-as'

/** Milliseconds after which a registration that the server refused is tried again. */
const AFTER_REFUSAL = HOUR

type Registered = NonNullable<MetaRows['push']['registered']>

/** True if the server has accepted exactly this subscription for the owner. */
export const isRegistered = (
  { registered }: Pick<MetaRows['push'], 'registered'>,
  owner: OwnerId,
  subscription: PushSubscriptionBody,
): boolean =>
  registered?.owner === owner &&
  registered.outdated !== true &&
  JSON.stringify(registered.subscription) === JSON.stringify(subscription)

/** Registers the subscription for the present owner; an endpoint that another owner had moves to this one. */
export async function registerPush(env: EngineEnv, subscription: PushSubscriptionBody): Promise<Answer> {
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
export async function unregisterStale(env: EngineEnv): Promise<readonly Answer[]> {
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
