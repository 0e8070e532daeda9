import { readMeta, writeMeta } from '../db/queries/meta'
import { isSpaced } from './backoff'
import type { EngineEnv } from './env'
import { writeTransaction } from '../db/with-room'

/**
 * Whether work that many tabs ask for is to be begun now; whoever gets true does it. Work that was begun less than its
 * spacing ago is not.
 * @param spacing milliseconds
 */
export async function claim({ db, now }: EngineEnv, work: string, spacing: number): Promise<boolean> {
  return writeTransaction(db, [db.meta], async () => {
    const begun = (await readMeta(db, 'begun')) ?? {}
    if (!isSpaced(begun[work], spacing, now())) return false
    await writeMeta(db, 'begun', { ...begun, [work]: now() })
    return true
  })
}
