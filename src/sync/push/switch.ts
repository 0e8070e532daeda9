import type { PushSubscriptionBody } from '../../contract/push'
import type { AccountResult } from '../../db/account-request'
import { changePushBook, readPushBook } from '../../db/push-book'
import { resultOf } from '../account/result'
import type { EngineEnv } from '../env'
import { endProblem } from '../report'
import { isTold, tellLeft, tellServer } from './tell'

const DONE: AccountResult = { ok: true, message: null }

/** The user wants to be reached here. */
export async function subscribePush(env: EngineEnv, subscription: PushSubscriptionBody): Promise<AccountResult> {
  const { endpoint } = subscription
  await changePushBook(env.db, ({ left }) => ({ off: false, left: left.filter((one) => one.endpoint !== endpoint) }))
  return env.locks.request('push', async () => {
    const session = await env.db.session.get('current')
    // The browser has subscribed: that it once could not is over, whatever the server says now.
    await endProblem(env, 'push')
    if (session !== undefined && isTold(await readPushBook(env.db), session.owner, subscription)) return DONE
    return resultOf(await tellServer(env, subscription))
  })
}

/** The user does not want to be reached here any more; the server hears of it now or later. */
export async function unsubscribePush(env: EngineEnv, endpoint: string | null): Promise<AccountResult> {
  const { db } = env
  const session = await db.session.get('current')
  await changePushBook(db, ({ told, left }) => {
    const over = new Map(left.map((one) => [one.endpoint, one]))
    if (told !== null) over.set(told.subscription.endpoint, { owner: told.owner, endpoint: told.subscription.endpoint })
    if (endpoint !== null && session !== undefined && !over.has(endpoint)) {
      over.set(endpoint, { owner: session.owner, endpoint })
    }
    return { off: true, told: null, put_off: null, left: [...over.values()] }
  })
  await endProblem(env, 'push')
  return env.locks.request('push', async () => {
    const answers = await tellLeft(env)
    return answers.map(resultOf).find(({ ok }) => !ok) ?? DONE
  })
}
