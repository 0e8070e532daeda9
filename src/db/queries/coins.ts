import type { LocalDatabase } from '../database'
import type { CoinListView } from '../view'
import { readMeta } from './meta'

/** Undefined while the list has never been loaded. */
export async function readCoins(db: LocalDatabase): Promise<CoinListView | undefined> {
  const row = await readMeta(db, 'coins')
  return row && { coins: row.coins, fetchedAt: row.fetched_at }
}
