import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import { readLost } from '../lost-pairs'
import { withSnapshot } from '../read-snapshot'
import { pairName } from '../snapshot'

/** For the question to the guest about pairs that the server no longer has. */
export interface LostPairsView {
  readonly owner: OwnerId
  /** Such as `BTC/ETH`; empty: nothing is lost. */
  readonly names: readonly string[]
  /** All pairs on the board are lost. */
  readonly all: boolean
}

/** Reads next to nothing while nothing is lost: this is asked again with every change of a pair's row. */
export async function readLostPairs(db: LocalDatabase): Promise<LostPairsView | undefined> {
  const session = await db.session.get('current')
  if (session === undefined) return undefined
  const { owner } = session
  if ((await readLost(db, owner)).length === 0) return { owner, names: [], all: false }
  return withSnapshot(db, async (snapshot) => {
    const lost = await readLost(db, snapshot.owner)
    const names = lost.map((row) => pairName(snapshot, row.coin_a_id, row.coin_b_id))
    return { owner: snapshot.owner, names, all: names.length === snapshot.rows.length }
  })
}
