import type { AccountResult } from '../../db/account-request'
import { readMeta, writeMeta } from '../../db/queries/meta'
import { writeTransaction } from '../../db/with-room'
import type { OpId, OwnerId } from '../../domain/ids'
import type { EngineEnv } from '../env'
import { asPresent } from './as-owner'
import { resultOf } from './result'

/** Sends a message; sent again because no answer came, it is the same one to the server. */
export async function sendFeedback(env: EngineEnv, message: string): Promise<AccountResult> {
  const key = await keyOf(env, message)
  const { session, answer } = await asPresent(env, { route: 'feedback', body: { message }, key })
  const hasVerdict = answer.kind === 'ok' || answer.kind === 'refused'
  if (hasVerdict && session !== null) await forgetKey(env, session.owner)
  return resultOf(answer)
}

async function keyOf({ db, token }: EngineEnv, message: string): Promise<OpId> {
  return writeTransaction(db, [db.session, db.meta], async () => {
    const fresh = token() as OpId
    const session = await db.session.get('current')
    if (session === undefined) return fresh
    const unanswered = (await readMeta(db, 'feedback_unanswered')) ?? {}
    const known = unanswered[session.owner]
    if (known?.message === message) return known.key
    await writeMeta(db, 'feedback_unanswered', { ...unanswered, [session.owner]: { message, key: fresh } })
    return fresh
  })
}

async function forgetKey({ db }: EngineEnv, owner: OwnerId): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const { [owner]: _, ...others } = (await readMeta(db, 'feedback_unanswered')) ?? {}
    await writeMeta(db, 'feedback_unanswered', others)
  })
}
