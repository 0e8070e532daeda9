import { Dexie, type Table } from 'dexie'
import type { LocalDatabase } from './database'
import { makeRoom } from './make-room'
import { isStorageFull } from './storage-full'

/**
 * Runs a write; refused for want of space, it is run again as often as something that can be loaded again gives way for
 * it. Inside a transaction it is only run: that one is gone when a write in it is refused, and runs again as a whole.
 * @param write a transaction, or what does one; nothing of a refused run may remain
 * @throws StorageFull where nothing is left to give way
 */
export async function withRoom<T>(db: LocalDatabase, write: () => PromiseLike<T>): Promise<T> {
  if (Dexie.currentTransaction !== null) return write()
  try {
    return await write()
  } catch (error) {
    if (!isStorageFull(error)) throw error
    return makeRoom(db, write, error)
  }
}

/** One transaction that writes the tables, with room made for it where it takes that. */
export const writeTransaction = <T>(
  db: LocalDatabase,
  tables: readonly Table[],
  body: () => PromiseLike<T>,
): Promise<T> => withRoom(db, () => db.transaction('rw', [...tables], body))
