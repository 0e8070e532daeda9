import { Dexie } from 'dexie'
import { mergeBuckets } from '../domain/aggregation'
import { BUCKET_MS, type Granularity } from '../domain/granularity'
import { PERIOD_RULES, PERIODS } from '../domain/period'
import { sliceSeries } from '../domain/series'
import type { LocalDatabase } from './database'
import type { HistoryFetchRow, HistoryRow } from './rows'
import { isSound } from './sound-history'
import { isStorageFull } from './storage-full'

/** A record that gave way, and when its coin was last asked for: an answer "unchanged" would be wrong without it. */
export interface Taken {
  readonly row: HistoryRow
  readonly fetches: readonly HistoryFetchRow[]
}

/** How far back from its newest point charts read a level, milliseconds. */
function reach(granularity: Granularity): number {
  const spans = PERIODS.map((period) => PERIOD_RULES[period])
    .filter((rules) => rules.granularity === granularity)
    .map(({ duration, initialAverage }) => duration + initialAverage)
  return Math.max(...spans) + BUCKET_MS[granularity]
}

const newestTime = ({ times }: HistoryRow): number => times.at(-1) ?? -Infinity
const newestOf = ({ row }: Taken): number => newestTime(row)

/** Deletes all records of a level. */
export async function takeLevel(db: LocalDatabase, granularity: Granularity): Promise<readonly Taken[]> {
  return db.transaction('rw', db.history, db.history_fetches, async () => {
    const rows = await db.history.filter((row) => row.granularity === granularity).toArray()
    const taken: Taken[] = []
    for (const row of rows) {
      const fetches = db.history_fetches
        .where('[coin_id+period]')
        .between([row.coin_id, Dexie.minKey], [row.coin_id, Dexie.maxKey])
      taken.push({ row, fetches: await fetches.toArray() })
      await fetches.delete()
      await db.history.delete(row.id)
    }
    return taken
  })
}

/**
 * Brings back what charts need of the records, newest first, as far as there is room: they can be loaded again. When a
 * coin was asked for comes back only with all of them.
 */
export async function putBack(db: LocalDatabase, taken: readonly Taken[]): Promise<void> {
  try {
    for (const { row } of taken.toSorted((a, b) => newestOf(b) - newestOf(a))) await putBackRow(db, row)
    await putBackFetches(
      db,
      taken.flatMap(({ fetches }) => fetches),
    )
  } catch (error) {
    // The write that all this was for is stored, whatever becomes of the rest.
    if (!isStorageFull(error)) reportError(error)
  }
}

async function putBackRow(db: LocalDatabase, row: HistoryRow): Promise<void> {
  if (!isSound(row)) return
  const spared = sliceSeries(row, newestTime(row) - reach(row.granularity))
  await db.transaction('rw', db.history, async () => {
    const present = await db.history.get(row.id)
    if (present === undefined) await db.history.put({ ...row, ...spared })
    // What was stored meanwhile is newer.
    else if (present.source === row.source) {
      await db.history.put({ ...present, ...mergeBuckets(spared, present, BUCKET_MS[row.granularity]) })
    }
  })
}

async function putBackFetches(db: LocalDatabase, fetches: readonly HistoryFetchRow[]): Promise<void> {
  await db.transaction('rw', db.history_fetches, async () => {
    const known = await db.history_fetches.bulkGet(fetches.map(({ coin_id, period }) => [coin_id, period]))
    await db.history_fetches.bulkPut(fetches.filter((_, index) => known[index] === undefined))
  })
}
