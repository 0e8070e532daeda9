import { Dexie } from 'dexie'
import { mergeBuckets } from '../domain/aggregation'
import { BUCKET_MS, type Granularity } from '../domain/granularity'
import { PERIOD_RULES, PERIODS } from '../domain/period'
import { sliceSeries } from '../domain/series'
import type { LocalDatabase } from './database'
import { readMeta } from './queries/meta'
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
 * coin was asked for comes back in any case, so that it is not asked for over and over; what the server answered counts
 * only with all of its records.
 */
export async function putBack(db: LocalDatabase, taken: readonly Taken[]): Promise<void> {
  try {
    await putBackFetches(db, taken, (fetch) => ({ ...fetch, etag: null }))
    for (const { row } of taken.toSorted((a, b) => newestOf(b) - newestOf(a))) await putBackRow(db, row)
    await putBackFetches(db, taken, (fetch) => fetch)
  } catch (error) {
    // The write that all this was for is stored, whatever becomes of the rest.
    if (!isStorageFull(error)) reportError(error)
  }
}

/** The write, or somebody else meanwhile, may have been told of another source: what is of the one before stays gone. */
async function isOfSource(db: LocalDatabase, { source }: HistoryRow): Promise<boolean> {
  const known = await readMeta(db, 'config')
  return known === undefined || known.config.market_data.source === source
}

async function putBackRow(db: LocalDatabase, row: HistoryRow): Promise<void> {
  if (!isSound(row)) return
  const spared = { ...row, ...sliceSeries(row, newestTime(row) - reach(row.granularity)) }
  await db.transaction('rw', db.history, db.meta, async () => {
    if (!(await isOfSource(db, row))) return
    const present = await db.history.get(row.id)
    if (present === undefined) await db.history.put(spared)
    else if (present.source === row.source) await db.history.put(withBefore(present, spared))
  })
}

/** What was stored meanwhile is newer; but what was aggregated here gives way to what the server had said before. */
function withBefore(present: HistoryRow, spared: HistoryRow): HistoryRow {
  const bucket = BUCKET_MS[present.granularity]
  const said = sliceSeries(present, -Infinity, present.server_until)
  const own = sliceSeries(present, Math.max(present.server_until, spared.server_until))
  return {
    ...present,
    ...mergeBuckets(mergeBuckets(spared, said, bucket), own, bucket),
    server_until: Math.max(present.server_until, spared.server_until),
    fetch_timestamp: Math.max(present.fetch_timestamp, spared.fetch_timestamp),
  }
}

/** Of fetches that nobody has repeated meanwhile. */
async function putBackFetches(
  db: LocalDatabase,
  taken: readonly Taken[],
  as: (fetch: HistoryFetchRow) => HistoryFetchRow,
): Promise<void> {
  await db.transaction('rw', db.history_fetches, db.meta, async () => {
    for (const { row, fetches } of taken) {
      if (!(await isOfSource(db, row))) continue
      for (const fetch of fetches) {
        const known = await db.history_fetches.get([fetch.coin_id, fetch.period])
        const isSame = known === undefined || (known.etag === null && known.attempted_at === fetch.attempted_at)
        if (isSame) await db.history_fetches.put(as(fetch))
      }
    }
  })
}
