import type { OwnerId } from '../../domain/ids'
import { pairName, readSnapshot, snapshotTables } from '../snapshot'
import type { LocalDatabase } from '../database'
import type { WidgetRow } from '../rows'

/** The owner's pairs that the server has lost, in the order of the board. */
export const readLost = async (db: LocalDatabase, owner: OwnerId): Promise<readonly WidgetRow[]> =>
  (await db.widgets.where('owner').equals(owner).sortBy('display_order')).filter((row) => row.lost === true)

/** For the question to the guest about pairs that the server no longer has. */
export interface LostPairsView {
  readonly owner: OwnerId
  /** Such as `BTC/ETH`; empty: nothing is lost. */
  readonly names: readonly string[]
  /** All pairs on the board are lost. */
  readonly all: boolean
}

export async function readLostPairs(db: LocalDatabase): Promise<LostPairsView | undefined> {
  return db.transaction('r', snapshotTables(db), async () => {
    const snapshot = await readSnapshot(db)
    if (snapshot === undefined) return undefined
    const lost = await readLost(db, snapshot.owner)
    const names = lost.map((row) => pairName(snapshot, row.coin_a_id, row.coin_b_id))
    return { owner: snapshot.owner, names, all: names.length === snapshot.rows.length }
  })
}
