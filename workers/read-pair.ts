import type { LocalDatabase } from '../src/db/database'
import { readPrices } from '../src/db/queries/prices'
import { type LivePrices, livePrices } from '../src/domain/live-prices'
import type { PairIds } from './api'
import { type CoinRows, readRows } from './history-records'

export interface StoredPair {
  readonly rowsA: CoinRows
  readonly rowsB: CoinRows
  readonly live: LivePrices | null
}

/** What the local database holds of a pair, read in one transaction. */
export const readPair = (db: LocalDatabase, { coinA, coinB }: PairIds): Promise<StoredPair> =>
  db.transaction('r', [db.history, db.prices], async () => {
    const prices = await readPrices(db)
    const [rowsA = [], rowsB = []] = await readRows(db, [coinA, coinB], prices)
    const live = prices === undefined ? null : livePrices(prices.prices[coinA], prices.prices[coinB], prices.source)
    return { rowsA, rowsB, live }
  })
