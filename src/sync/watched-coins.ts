import type { LocalDatabase } from '../db/database'
import { readSnapshot, snapshotTables } from '../db/snapshot'
import type { CoinId } from '../domain/ids'

/** The coins of all pairs on the board, inactive and unsent ones too, in alphabetical order. */
export async function watchedCoins(db: LocalDatabase): Promise<readonly CoinId[]> {
  const snapshot = await db.transaction('r', [...snapshotTables(db)], () => readSnapshot(db))
  const coins = new Set(snapshot?.shown.flatMap((widget) => [widget.coin_a_id, widget.coin_b_id]))
  return [...coins].toSorted((a, b) => (a < b ? -1 : 1))
}
