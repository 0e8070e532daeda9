import type { OpId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import { discardedWith } from '../discardable'
import { isKnown, mutationTypeOf } from '../mutations/mutation-types'
import { readEntries, readKnownIds } from '../snapshot'

/** Changes that discarding one change takes along, for the dialog that asks. */
export interface DiscardView {
  /** Titles of the other changes that go with it, in their order. */
  readonly along: readonly string[]
  /** One of them was sent and had no answer: the server may have done it. */
  readonly mayHaveArrived: boolean
}

export async function readDiscard(db: LocalDatabase, opId: OpId): Promise<DiscardView> {
  return db.transaction('r', db.session, db.outbox, db.ids, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return { along: [], mayHaveArrived: false }
    const gone = discardedWith(opId, await readEntries(db, session.owner), await readKnownIds(db))
    const along = gone.filter((entry) => entry.op_id !== opId && isKnown(entry))
    return {
      along: along.map((entry) => mutationTypeOf(entry).title(entry.label)),
      mayHaveArrived: gone.some((entry) => entry.state === 'waiting' && entry.attempts > 0),
    }
  })
}
