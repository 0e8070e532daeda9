import { GRANULARITIES, HOUR } from '../domain/granularity'
import { TREND_WINDOW } from '../domain/trend'
import { compact } from './compact'
import type { LocalDatabase } from './database'
import { COIN_ICONS } from './icon-cache'
import { browserLocks } from './locks'
import { putBack, takeLevel, type Taken } from './spare-history'
import { isStorageFull, StorageFull } from './storage-full'

/*
 * What gives way when the storage is full, in this order, and only as far as it takes:
 *
 *     coin icons → history, finest level first → ticks older than the trend looks back
 *
 * A level goes as a whole, since a shorter record is a write as well and would be refused. Once the write is stored, what
 * charts need of it comes back, newest first, as far as there is room: what is lost is what is oldest. Pairs, checkpoints,
 * waiting changes, the session and settings never give way.
 */

/** Attempts after each concession; between them the database is compacted. */
const ATTEMPTS = 5

/**
 * Runs `write`, which has been refused, again and again while something gives way for it. One at a time, over all tabs
 * and workers: what gave way for another is not there to be taken, and would look as if nothing were left.
 * @param refusal why it was refused
 * @throws StorageFull where nothing is left to give way
 */
export function makeRoom<T>(db: LocalDatabase, write: () => PromiseLike<T>, refusal: unknown): Promise<T> {
  return browserLocks().request(`${db.name}-room`, () => concedeFor(db, write, refusal))
}

async function concedeFor<T>(db: LocalDatabase, write: () => PromiseLike<T>, refusal: unknown): Promise<T> {
  // Whoever was first may have made enough.
  const early = await attempt(db, write, 1)
  if (early !== null) return early.value
  const taken: Taken[] = []
  try {
    for (const concede of concessions(db, taken)) {
      if (!(await concede())) continue
      const result = await attempt(db, write, ATTEMPTS)
      if (result !== null) return result.value
    }
  } finally {
    await putBack(db, taken)
  }
  throw new StorageFull(refusal)
}

/** Each frees something and says whether there was anything. */
const concessions = (db: LocalDatabase, taken: Taken[]): readonly (() => Promise<boolean>)[] => [
  forgetIcons,
  ...GRANULARITIES.map((granularity) => async () => {
    const level = await takeLevel(db, granularity)
    taken.push(...level)
    return level.length > 0
  }),
  () => forgetOldTicks(db),
]

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

/** Pictures of other sites count for millions of bytes each, whatever their size. */
async function forgetIcons(): Promise<boolean> {
  // Plain http has no caches.
  const { caches } = globalThis as { readonly caches?: CacheStorage }
  return caches === undefined ? false : caches.delete(COIN_ICONS)
}

async function forgetOldTicks(db: LocalDatabase): Promise<boolean> {
  return db.transaction('rw', db.ticks, async () => {
    const newest = await db.ticks.orderBy('hour').last()
    if (newest === undefined) return false
    const old = db.ticks.where('hour').below(newest.hour - TREND_WINDOW - HOUR)
    return (await old.delete()) > 0
  })
}
