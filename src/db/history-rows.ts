import { liveQuery, type Subscription } from 'dexie'
import type { MarketSource } from '../contract/market'
import { mergeBuckets } from '../domain/aggregation'
import { BUCKET_MS, type Granularity, LEVEL_SPAN } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { emptySeries, type Series, sliceSeries, viewOf } from '../domain/series'
import { type LocalDatabase, readPrices } from './database'
import type { HistoryRow } from './rows'
import { readClockAhead } from './server-clock'
import { writeTransaction } from './write-transaction'

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

export interface LevelSeries {
  readonly coin: CoinId
  readonly granularity: Granularity
  readonly source: MarketSource
  readonly series: Series
}

const emptyRow = ({ coin, granularity, source }: LevelSeries): HistoryRow => ({
  id: historyId(coin, granularity),
  coin_id: coin,
  granularity,
  source,
  ...emptySeries(),
  server_until: 0,
  fetch_timestamp: 0,
})

/** The stored record, or an empty one where there is none, it is damaged, or it is of another source: sources are never mixed. */
const rowOf = async (db: LocalDatabase, level: LevelSeries): Promise<HistoryRow> => {
  const row = await db.history.get(historyId(level.coin, level.granularity))
  return row !== undefined && row.source === level.source && isSound(row) ? row : emptyRow(level)
}

/**
 * The row's points with `series` merged in, without those older than the level's span or written into the future by a clock
 * that was ahead. A clock that is ahead now deletes nothing that the server has said within the span before its last answer;
 * a clock that is behind keeps the server's newest points. Never more than twice the points of a span.
 * @param now milliseconds, of this device
 * @param ahead milliseconds by which this device's clock is ahead of the server's
 */
function mergedInto(row: HistoryRow, series: Series, now: number, ahead: number): Series {
  const span = LEVEL_SPAN[row.granularity]
  const bucket = BUCKET_MS[row.granularity]
  const oldest = Math.min(now, row.server_until > 0 ? row.server_until : Infinity) - span
  const kept = viewOf(mergeBuckets(row, series, bucket), oldest, Math.max(now, now - ahead) + bucket)
  return sliceSeries(kept, kept.times.at(-Math.ceil((2 * span) / bucket)) ?? -Infinity)
}

/**
 * Stores buckets that were aggregated from ticks and that the server has not sent. Those of another source than the prices
 * are from by now are dropped.
 * @param now milliseconds
 */
export async function writeAggregated(db: LocalDatabase, levels: readonly LevelSeries[], now: number): Promise<void> {
  await writeTransaction(db, [db.history, db.prices, db.meta], async () => {
    const source = (await readPrices(db))?.source
    const ahead = await readClockAhead(db)
    for (const level of levels) {
      if (source !== undefined && source !== level.source) continue
      const row = await rowOf(db, level)
      const own = sliceSeries(level.series, row.server_until)
      await db.history.put({ ...row, ...mergedInto(row, own, now, ahead) })
    }
  })
}

/**
 * Stores the server's points, which win over those aggregated here. The bucket that is still open stays open for local
 * aggregation.
 * @param now milliseconds
 */
export async function writeServerLevels(db: LocalDatabase, levels: readonly LevelSeries[], now: number): Promise<void> {
  await writeTransaction(db, [db.history, db.meta], async () => {
    const ahead = await readClockAhead(db)
    for (const level of levels) {
      const row = await rowOf(db, level)
      const bucket = BUCKET_MS[level.granularity]
      const newest = level.series.times.at(-1) ?? -Infinity
      const closed = Math.min(Math.floor(newest / bucket) + 1, Math.floor(now / bucket)) * bucket
      await db.history.put({
        ...row,
        ...mergedInto(row, level.series, now, ahead),
        server_until: Math.max(row.server_until, closed),
        fetch_timestamp: now,
      })
    }
  })
}

/**
 * Calls `changed` whenever any context writes a history record of one of the coins from now on. Counting the records
 * observes them without reading their columns.
 */
export function followHistory(db: LocalDatabase, coins: readonly CoinId[], changed: () => void): Subscription {
  let looks = 0
  const look = () => {
    looks += 1
    return db.history.where('coin_id').anyOf(coins).count()
  }
  return liveQuery(look).subscribe({
    // The first look reports nothing, unless a write in between made Dexie look again.
    next: () => looks > 1 && changed(),
    error: (error: unknown) => reportError(error),
  })
}
