import type { Granularity } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import type { LocalDatabase } from './database'
import type { HistoryRow } from './rows'

export const historyId = (coin: CoinId, granularity: Granularity): string => `${coin}:${granularity}`

export const readHistory = (
  db: LocalDatabase,
  coin: CoinId,
  granularity: Granularity,
): Promise<HistoryRow | undefined> => db.history.get(historyId(coin, granularity))

/** Milliseconds of the newest answer of the server among all records; null: none of them has had one. */
export async function readHistoryUpdated(db: LocalDatabase): Promise<number | null> {
  const times = (await db.history.where('fetch_timestamp').above(0).keys()) as number[]
  return times.at(-1) ?? null
}

/** Columns of equal length; anything else was not written by this version of the app. */
export const isSound = ({ times, prices }: HistoryRow): boolean =>
  times instanceof Float64Array && prices instanceof Float64Array && times.length === prices.length
