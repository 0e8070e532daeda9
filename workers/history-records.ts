import type { LocalDatabase } from '../src/db/database'
import { historyId } from '../src/db/queries/history'
import type { HistoryRow } from '../src/db/rows'
import { isSound } from '../src/db/sound-history'
import { BUCKET_MS, GRANULARITIES, type Granularity } from '../src/domain/granularity'
import type { CoinId } from '../src/domain/ids'
import type { Records } from '../src/domain/period-series'
import { inOrder, type Series, viewOf } from '../src/domain/series'

/** A coin's records of one market-data source, finest level first. */
export type CoinRows = readonly HistoryRow[]

/** The coins' records of these levels, whatever their source; those that are not there are left out. */
export async function readLevels(
  db: LocalDatabase,
  coins: readonly CoinId[],
  levels: readonly Granularity[],
): Promise<CoinRows> {
  const rows = await db.history.bulkGet(coins.flatMap((coin) => levels.map((level) => historyId(coin, level))))
  return rows.filter((row) => row !== undefined)
}

/**
 * The records for a chart, without points that a clock which was ahead has written into the future.
 * @param now milliseconds
 */
export const recordsOf = (rows: CoinRows, now: number): Records =>
  Object.fromEntries(rows.map((row) => [row.granularity, isSound(row) ? upTo(row, now) : ('unreadable' as const)]))

const upTo = (row: HistoryRow, now: number): Series => viewOf(inOrder(row), -Infinity, now + BUCKET_MS[row.granularity])

/** True if the server has ever answered for the record: all its points otherwise come from this device's own ticks. */
export const isFetched = (row: HistoryRow): boolean => row.fetch_timestamp > 0

/** Milliseconds: when the record that a chart of this granularity stands on last came from the server. 0: never. */
export function fetchedAt(rows: CoinRows, granularity: Granularity): number {
  const from = GRANULARITIES.indexOf(granularity)
  const fetched = rows.filter(isFetched)
  const row = fetched.find((candidate) => GRANULARITIES.indexOf(candidate.granularity) >= from) ?? fetched.at(-1)
  return row?.fetch_timestamp ?? 0
}
