import { changeBook, readBook } from '../../db/answers/owner-book'
import { writeTransaction } from '../../db/with-room'
import { HOUR } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import { isSpaced } from '../backoff'
import type { EngineEnv } from '../env'

/** Milliseconds: a page of the payment provider that was opened longer ago than this has been left. */
const VISIT = HOUR

/** Notes that the user is being led to a page of the payment provider, where the tier may change. */
export const noteProviderVisit = ({ db, now }: EngineEnv, owner: OwnerId): Promise<void> =>
  writeTransaction(db, [db.owners], () => changeBook(db, owner, { provider_visit: now() }))

/** True while the user may be coming back from a page of the payment provider, whose event may not have arrived. */
export async function isProviderVisit({ db, now }: EngineEnv, owner: OwnerId): Promise<boolean> {
  const { provider_visit } = await readBook(db, owner)
  return provider_visit !== undefined && !isSpaced(provider_visit, VISIT, now())
}
