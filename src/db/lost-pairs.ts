import type { OwnerId } from '../domain/ids'
import { canonical } from './board'
import type { LocalDatabase } from './database'
import { isKnown, mutationTypeOf } from './mutations/mutation-types'
import type { WidgetRow } from './rows'
import type { Snapshot } from './snapshot'
import { deleteWidgetRow } from './board-rows'
/** Forgets lost pairs, with everything that waits for them: the server could only refuse that. */
export async function forgetLost(
  db: LocalDatabase,
  lost: readonly WidgetRow[],
  { entries, ids }: Pick<Snapshot, 'entries' | 'ids'>,
): Promise<void> {
  const gone = new Set<string>(lost.map(({ id }) => id))
  const waiting = entries.filter((entry) => {
    const widget = isKnown(entry) && entry.state !== 'leased' ? mutationTypeOf(entry).widget(entry.payload) : null
    return widget !== null && gone.has(canonical(ids, widget))
  })
  await db.outbox.bulkDelete(waiting.map((entry) => entry.seq!))
  for (const { id } of lost) await deleteWidgetRow(db, id)
}

/** The owner's pairs that the server has lost, in the order of the board. */
export const readLost = async (db: LocalDatabase, owner: OwnerId): Promise<readonly WidgetRow[]> =>
  (await db.widgets.where('owner').equals(owner).sortBy('display_order')).filter((row) => row.lost === true)
