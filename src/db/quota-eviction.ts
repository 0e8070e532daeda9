import { Dexie } from 'dexie'
import { TREND_WINDOW } from '../domain/day-figures'
import { GRANULARITIES, type Granularity, HOUR } from '../domain/granularity'
import { type LocalDatabase, readMeta } from './database'
import { browserLocks } from './locks'
import type { HistoryFetchRow, HistoryRow } from './rows'
/*
 * When the browser refuses a write for want of space, these are evicted, in this order, and only until the write fits:
 *
 *     coin icons → daily closes → history, finest level first → ticks older than the trend needs
 *
 * A level goes as a whole, since a shorter record is a write as well and would be refused. The sync engine loads evicted
 * history again. Pairs, checkpoints, the outbox, the session and settings are never evicted. Decision 0056.
 */

/** Attempts after each eviction; between them the database is compacted. */
const ATTEMPTS = 5

/** Fetch notes of a coin whose history was evicted, and the source that the history was from. */
interface Evicted {
  readonly source: HistoryRow['source']
  readonly fetches: readonly HistoryFetchRow[]
}

/**
 * Repeats `write`, which was refused, after each eviction. One at a time over all tabs and workers, under a Web Lock: a
 * second one would find nothing left to evict while the first is at work.
 * @param refusal why the write was refused
 * @throws StorageFull where nothing is left to evict
 */
export function retryAfterEviction<T>(db: LocalDatabase, write: () => PromiseLike<T>, refusal: unknown): Promise<T> {
  return browserLocks().request(`${db.name}-room`, async () => {
    // An eviction for another write may have freed enough.
    const early = await attempt(db, write, 1)
    if (early !== null) return early.value
    const evicted: Evicted[] = []
    try {
      for (const evict of evictions(db, evicted)) {
        if (!(await evict())) continue
        const result = await attempt(db, write, ATTEMPTS)
        if (result !== null) return result.value
      }
    } finally {
      await noteAsOwed(db, evicted)
    }
    throw new StorageFull(refusal)
  })
}

/** Each resolves to true if it has freed something. */
const evictions = (db: LocalDatabase, evicted: Evicted[]): readonly (() => Promise<boolean>)[] => [
  evictIcons,
  () => evictDailyCloses(db),
  ...GRANULARITIES.map((granularity) => async () => {
    const level = await evictLevel(db, granularity)
    evicted.push(...level)
    return level.length > 0
  }),
  () => evictOldTicks(db),
]

/** Resolves to null if every attempt was refused for want of space. */
async function attempt<T>(
  db: LocalDatabase,
  write: () => PromiseLike<T>,
  attempts: number,
): Promise<{ readonly value: T } | null> {
  for (let number = 1; ; number++) {
    try {
      return { value: await write() }
    } catch (error) {
      if (!isStorageFull(error)) throw error
    }
    if (number === attempts) return null
    await compact(db)
  }
}

/**
 * Lets the browser give back the space of deleted rows. Chromium counts them until it compacts its files, which it does
 * when a database is deleted, for all databases that share files with it; elsewhere this does nothing.
 */
async function compact(db: LocalDatabase): Promise<void> {
  const scratch = new Dexie(`${db.name}-compaction`)
  scratch.version(1).stores({ rows: 'key' })
  try {
    await scratch.open()
  } catch (error) {
    // The caller tries its own write again, and learns then that there is no room.
    if (!isStorageFull(error)) throw error
  } finally {
    await scratch.delete()
  }
}

/** Each picture of another origin counts for millions of bytes, whatever its size. */
async function evictIcons(): Promise<boolean> {
  // Plain http has no caches.
  const { caches } = globalThis as { readonly caches?: CacheStorage }
  return caches === undefined ? false : caches.delete(COIN_ICONS)
}

/** One request brings them back. */
function evictDailyCloses(db: LocalDatabase): Promise<boolean> {
  return db.transaction('rw', db.daily_closes, async () => {
    const count = await db.daily_closes.count()
    await db.daily_closes.clear()
    return count > 0
  })
}

/** Deletes all records of a level, and their coins' fetch notes, whose ETags would have the server answer "unchanged". */
function evictLevel(db: LocalDatabase, granularity: Granularity): Promise<readonly Evicted[]> {
  return db.transaction('rw', db.history, db.history_fetches, async () => {
    const rows = await db.history.filter((row) => row.granularity === granularity).toArray()
    const evicted: Evicted[] = []
    for (const { id, coin_id, source } of rows) {
      const fetches = db.history_fetches
        .where('[coin_id+period]')
        .between([coin_id, Dexie.minKey], [coin_id, Dexie.maxKey])
      evicted.push({ source, fetches: await fetches.toArray() })
      await fetches.delete()
      await db.history.delete(id)
    }
    return evicted
  })
}

/**
 * Stores the fetch notes again without ETag and answer: the sync engine then loads the history as one that it still owes,
 * at the usual spacing rather than with every poll. Not after a change of source, which has cleared all notes.
 */
async function noteAsOwed(db: LocalDatabase, evicted: readonly Evicted[]): Promise<void> {
  try {
    await db.transaction('rw', db.history_fetches, db.meta, async () => {
      const source = (await readMeta(db, 'config'))?.config.market_data.source
      for (const { fetches } of evicted.filter((one) => source === undefined || one.source === source)) {
        const present = await db.history_fetches.bulkGet(fetches.map(({ coin_id, period }) => [coin_id, period]))
        const missing = fetches.filter((_, index) => present[index] === undefined)
        await db.history_fetches.bulkPut(missing.map((fetch) => ({ ...fetch, fetched_at: null, etag: null })))
      }
    })
  } catch (error) {
    // The write that this was for is stored already.
    if (!isStorageFull(error)) reportError(error)
  }
}

function evictOldTicks(db: LocalDatabase): Promise<boolean> {
  return db.transaction('rw', db.ticks, async () => {
    const newest = await db.ticks.orderBy('hour').last()
    if (newest === undefined) return false
    const old = db.ticks.where('hour').below(newest.hour - TREND_WINDOW - HOUR)
    return (await old.delete()) > 0
  })
}

/** The cache of coins' pictures, filled by the service worker. */
export const COIN_ICONS = 'coin-icons'

/** A write that found no room although everything that can be loaded again was evicted; `cause` is the browser's refusal. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'

  constructor(cause: unknown) {
    super('Storage on this device is full. Free some space and try again.', { cause })
  }
}

/**
 * Whether a write was refused for want of space. Dexie keeps the reason inside: of a transaction that the browser aborted
 * at its end, of each row of a bulk write.
 */
export function isStorageFull(error: unknown, seen = new Set<unknown>()): boolean {
  if (typeof error !== 'object' || error === null || seen.has(error)) return false
  seen.add(error)
  const { name, inner, cause, failures } = error as Readonly<Record<string, unknown>>
  // Across threads only an error's name is left of its class.
  if (name === 'QuotaExceededError' || name === 'StorageFull') return true
  const within = [inner, cause, ...(Array.isArray(failures) ? failures : [])]
  return within.some((one) => isStorageFull(one, seen))
}
