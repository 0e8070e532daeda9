import { readMeta, writeMeta } from '../../db/queries/meta'
import { writeTransaction } from '../../db/with-room'
import { backoff, isDue } from '../backoff'
import type { EngineEnv } from '../env'
import type { SyncReason } from '../reason'
import { send } from '../request'

/** Milliseconds at which the server is to hear of sessions that were left here; null: it has heard of all. */
export async function revocationsDueAt({ db }: EngineEnv): Promise<number | null> {
  const [left, tries] = await Promise.all([readMeta(db, 'revocations'), readMeta(db, 'revocation_tries')])
  return left === undefined || left.length === 0 ? null : (tries?.not_before ?? 0)
}

/** Tells the server of the sessions that were left here while it could not be reached. */
export async function revokeLeft(env: EngineEnv, reason: SyncReason): Promise<void> {
  const left = (await readMeta(env.db, 'revocations')) ?? []
  if (left.length === 0 || !(await claimTurn(env, reason))) return
  const gone = await Promise.all(left.map(async (token) => ((await revoke(env, token)) ? [token] : [])))
  await forget(env, gone.flat())
}

/** Whether the server is to be told now; whoever gets true does it. The next turn is later with each that fails. */
async function claimTurn({ db, now, random }: EngineEnv, reason: SyncReason): Promise<boolean> {
  return writeTransaction(db, [db.meta], async () => {
    const { failures, not_before } = (await readMeta(db, 'revocation_tries')) ?? { failures: 0, not_before: 0 }
    const isReachable = reason === 'online' || reason === 'background'
    if (!isReachable && !isDue(not_before, now())) return false
    const next = { failures: failures + 1, not_before: now() + backoff(failures + 1, null, random()) }
    await writeMeta(db, 'revocation_tries', next)
    return true
  })
}

/** @returns whether it ends no session any more: a token that the API itself does not take has none. */
async function revoke(env: EngineEnv, token: string): Promise<boolean> {
  const answer = await send(env, { route: 'logOut', body: { refresh_token: token } }, {})
  return answer.kind === 'ok' || answer.kind === 'refused'
}

async function forget({ db }: EngineEnv, gone: readonly string[]): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const left = (await readMeta(db, 'revocations')) ?? []
    const rest = left.filter((one) => !gone.includes(one))
    await writeMeta(db, 'revocations', rest)
    if (rest.length === 0) await db.meta.delete('revocation_tries')
  })
}
