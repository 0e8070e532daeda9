import { readMeta, writeMeta } from '../../db/queries/meta'
import { writeTransaction } from '../../db/with-room'
import { claim } from '../claim'
import type { EngineEnv } from '../env'
import type { SyncReason } from '../reason'
import { send } from '../request'

/** Milliseconds between two attempts, unless the network is back. */
const SPACING = 5_000

/** Tells the server of the sessions that were left here while it could not be reached. */
export async function revokeLeft(env: EngineEnv, reason: SyncReason): Promise<void> {
  const left = (await readMeta(env.db, 'revocations')) ?? []
  if (left.length === 0 || !(await claim(env, 'revocations', reason === 'online' ? 0 : SPACING))) return
  await Promise.all(left.map((token) => revoke(env, token)))
}

async function revoke(env: EngineEnv, token: string): Promise<void> {
  const { db } = env
  const answer = await send(env, { route: 'logOut', body: { refresh_token: token } }, {})
  // A token that the API itself does not take ends no session any more.
  if (answer.kind !== 'ok' && answer.kind !== 'refused') return
  await writeTransaction(db, [db.meta], async () => {
    const left = (await readMeta(db, 'revocations')) ?? []
    const rest = left.filter((one) => one !== token)
    await writeMeta(db, 'revocations', rest)
  })
}
