import type { LocalDatabase } from '../src/db/database'
import { readHistory } from '../src/db/queries/history'
import type { HistoryRow, PricesRow } from '../src/db/rows'
import { isSound } from '../src/db/sound-history'
import { GRANULARITIES, type Granularity } from '../src/domain/granularity'
import type { CoinId } from '../src/domain/ids'
import type { Records } from '../src/domain/period-series'

/** A coin's records of one market-data source, finest level first. */
export type CoinRows = readonly HistoryRow[]

/** All records of the coins, of the source that the latest prices are from: two sources are never mixed. */
export async function readRows(
  db: LocalDatabase,
  coins: readonly CoinId[],
  prices: PricesRow | undefined,
): Promise<CoinRows[]> {
  const ids = coins.flatMap((coin) => GRANULARITIES.map((granularity) => ({ coin, granularity })))
  const found = await Promise.all(ids.map(({ coin, granularity }) => readHistory(db, coin, granularity)))
  const rows = found.filter((row) => row !== undefined)
  const newest = rows.toSorted((one, other) => other.fetch_timestamp - one.fetch_timestamp)[0]
  const source = prices?.source ?? newest?.source
  return coins.map((coin) => rows.filter((row) => row.coin_id === coin && row.source === source))
}

export const recordsOf = (rows: CoinRows): Records =>
  Object.fromEntries(rows.map((row) => [row.granularity, isSound(row) ? row : ('unreadable' as const)]))

/** Milliseconds: when the record that a chart of this granularity stands on last came from the server, or what it knows. */
export function fetchedAt(rows: CoinRows, granularity: Granularity): number {
  const from = GRANULARITIES.indexOf(granularity)
  const row = rows.find((candidate) => GRANULARITIES.indexOf(candidate.granularity) >= from)
  if (row === undefined) return 0
  return row.fetch_timestamp > 0 ? row.fetch_timestamp : (row.times.at(-1) ?? 0)
}
