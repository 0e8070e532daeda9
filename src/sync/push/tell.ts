import type { PushSubscriptionBody } from '../../contract/push'
import { changePushBook, readPushBook } from '../../db/push-book'
import type { MetaRows } from '../../db/rows'
import { HOUR } from '../../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import { asPresent } from '../account/as-owner'
import type { Answer } from '../answer'
import { backoff } from '../backoff'
import type { EngineEnv } from '../env'
import { sendAs } from '../send-as'

/** Milliseconds after which the server is told again what it has refused. */
const AFTER_REFUSAL = HOUR

type Told = NonNullable<MetaRows['push']['told']>

/** Whether the server has taken exactly this for the owner. */
export const isTold = (
  { told }: Pick<MetaRows['push'], 'told'>,
  owner: OwnerId,
  subscription: PushSubscriptionBody,
): boolean =>
  told?.owner === owner && told.outdated !== true && JSON.stringify(told.subscription) === JSON.stringify(subscription)

/** Tells the server where whoever uses this browser is reached; an endpoint that was somebody else's moves to them. */
export async function tellServer(env: EngineEnv, subscription: PushSubscriptionBody): Promise<Answer> {
  const { session, answer } = await asPresent(env, { route: 'subscribePush', body: subscription })
  if (session === null) return answer
  const { owner } = session
  await changePushBook(env.db, (book) => {
    // Switched off meanwhile: that it is over is told next.
    if (book.off) return null
    const told = { owner, subscription }
    if (answer.kind === 'ok') return { told, put_off: null, left: [...book.left, ...replaced(book.told, told)] }
    return { put_off: { owner, endpoint: subscription.endpoint, at: env.now(), spacing: spacingAfter(env, answer) } }
  })
  return answer
}

/** A browser has one subscription: the one before is over. Who has left cannot be spoken for. */
function replaced(before: Told | null, { owner, subscription: { endpoint } }: Told): MetaRows['push']['left'] {
  if (before === null || before.subscription.endpoint === endpoint) return []
  const isSpokenFor = before.owner === owner || isAnonymousOwner(before.owner)
  return isSpokenFor ? [{ owner: before.owner, endpoint: before.subscription.endpoint }] : []
}

const spacingAfter = ({ random }: EngineEnv, answer: Answer): number =>
  answer.kind === 'refused' && answer.status !== 401
    ? AFTER_REFUSAL
    : backoff(1, answer.kind === 'unavailable' ? answer.retryAfter : null, random())

/** Tells the server of the endpoints that are over, each as the owner it was of; those of a user who is gone wait. */
export async function tellLeft(env: EngineEnv): Promise<readonly Answer[]> {
  const { left } = await readPushBook(env.db)
  return Promise.all(
    left.map(async ({ owner, endpoint }) => {
      const answer = await sendAs(env, owner, { route: 'unsubscribePush', body: { endpoint } })
      const isOver = answer.kind === 'ok' || (answer.kind === 'refused' && answer.status !== 401)
      if (isOver) {
        await changePushBook(env.db, (book) => ({ left: book.left.filter((one) => one.endpoint !== endpoint) }))
      }
      return answer
    }),
  )
}
