import { Dexie, type Table } from 'dexie'
import { type LocalDatabase, readMeta, writeMeta } from './database'
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

/**
 * Changes a single record in one transaction.
 * @param change is given the stored value; null: nothing changes
 */
export async function changeMeta<K extends MetaKey>(
  db: LocalDatabase,
  key: K,
  change: (stored: MetaRows[K] | undefined) => MetaRows[K] | null,
): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const changed = change(await readMeta(db, key))
    if (changed !== null) await writeMeta(db, key, changed)
  })
}

/** Replaces a single record in a transaction of its own, with room made for it where it takes that. */
export const storeMeta = <K extends MetaKey>(db: LocalDatabase, key: K, value: MetaRows[K]): Promise<void> =>
  withEviction(db, () => writeMeta(db, key, value))
