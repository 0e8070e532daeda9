import { canonical } from '../../../src/db/board'
import type { HeldChange } from '../../../src/db/held-change'
import { readEntries, readKnownIds } from '../../../src/db/board-rows'
import type { LocalDatabase } from '../../../src/db/database'
import { discardedWith } from '../../../src/db/dependents'
import { readLost } from '../../../src/db/lost-pairs'
import { isUnsent, mutationTypeOf } from '../../../src/db/mutations/mutation-types'
import type { OutboxEntry } from '../../../src/db/outbox-entry'
import type { OpId, OwnerId } from '../../../src/domain/ids'

/** Whether an act of the user's may take an entry out of the outbox. */
export type MayTake = (entry: OutboxEntry) => boolean

const isOrder = ({ kind }: OutboxEntry): boolean => kind === 'layout.reorder@1'

/** Entries of the owner's lost pairs, which go with these pairs or with the answer to what is to become of them. */
async function ofLostPairs(db: LocalDatabase, owner: OwnerId): Promise<MayTake> {
  const [lost, ids] = [await readLost(db, owner), await readKnownIds(db)]
  return (entry) => {
    const widget = mutationTypeOf(entry).widget(entry.payload)
    return entry.owner === owner && widget !== null && lost.some(({ id }) => id === canonical(ids, widget))
  }
}

/** A command takes back what was never sent, and an order that was refused. */
export async function byCommand(db: LocalDatabase, owner: OwnerId): Promise<MayTake> {
  const isOfLost = await ofLostPairs(db, owner)
  return (entry) =>
    isOfLost(entry) || (entry.owner === owner && (isUnsent(entry) || (isOrder(entry) && entry.state === 'failed')))
}

/** Lost pairs that are sent again take all orders back, which name these pairs by ids that the server has forgotten. */
export async function byAnswer(db: LocalDatabase, owner: OwnerId): Promise<MayTake> {
  const isOfLost = await ofLostPairs(db, owner)
  return (entry) => isOfLost(entry) || (entry.owner === owner && isOrder(entry) && entry.state === 'waiting')
}

export async function byDiscard(db: LocalDatabase, owner: OwnerId, op: OpId): Promise<MayTake> {
  const gone = discardedWith(op, await readEntries(db, owner), await readKnownIds(db))
  return ({ op_id }) => gone.some((one) => one.op_id === op_id)
}

/** A user who logs out gives up all that waits. */
export const byLogOut =
  (owner: OwnerId): MayTake =>
  (entry) =>
    entry.owner === owner

/** Undo takes a command's own entries out, and brings back those that the command had swallowed. */
export const byUndo =
  ({ written }: HeldChange): MayTake =>
  (entry) =>
    isUnsent(entry) && written.some(({ op_id }) => op_id === entry.op_id)
