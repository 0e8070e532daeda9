import { Dexie, type Table } from 'dexie'
import { type LocalDatabase, writeMeta } from './database'
import { isStorageFull, retryAfterEviction } from './quota-eviction'
import type { MetaKey, MetaRows } from './rows'

/**
 * Runs a write; refused for want of space, it is repeated as rows that can be loaded again are evicted. Inside a
 * transaction it is only run: the whole transaction fails with a refused write in it, and is repeated by its own caller.
 * @param write a transaction, or a function that runs one; nothing of a refused run may remain
 * @throws StorageFull where nothing is left to evict
 */
export async function withEviction<T>(db: LocalDatabase, write: () => PromiseLike<T>): Promise<T> {
  if (Dexie.currentTransaction !== null) return write()
  try {
    return await write()
  } catch (error) {
    if (!isStorageFull(error)) throw error
    return retryAfterEviction(db, write, error)
  }
}

/** One transaction that writes the tables, repeated after evictions where the storage is full. */
export const writeTransaction = <T>(
  db: LocalDatabase,
  tables: readonly Table[],
  body: () => PromiseLike<T>,
): Promise<T> => withEviction(db, () => db.transaction('rw', [...tables], body))

/** Replaces a single record in a transaction of its own, with room made for it where it takes that. */
export const storeMeta = <K extends MetaKey>(db: LocalDatabase, key: K, value: MetaRows[K]): Promise<void> =>
  withEviction(db, () => writeMeta(db, key, value))
