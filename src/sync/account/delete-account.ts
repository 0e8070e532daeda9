import type { AccountRequest, AccountResult } from '../../db/account-request'
import { leaveOwner, leavingTables } from '../../db/leave-owner'
import { writeTransaction } from '../../db/with-room'
import type { EngineEnv } from '../env'
import { asOwner } from './as-owner'
import { resultOf } from './result'

/**
 * Schedules the account's deletion, which ends all its sessions, and signs it out here. What waited goes with it: there
 * is nobody left to send it.
 */
export async function deleteAccount(
  env: EngineEnv,
  { owner, password }: Extract<AccountRequest, { kind: 'delete-account' }>,
): Promise<AccountResult> {
  const { db } = env
  const call =
    password === null ? ({ route: 'deleteMeOauth' } as const) : ({ route: 'deleteMe', body: { password } } as const)
  const { answer } = await asOwner(env, owner, call)
  if (answer.kind === 'ok') {
    await writeTransaction(db, leavingTables(db), async () => {
      const session = await db.session.get('current')
      if (session?.owner === owner) await leaveOwner(db, session, 'forget')
    })
  }
  return resultOf(answer)
}
