import { Dexie } from 'dexie'
import type { LocalDatabase } from './database'
import { isStorageFull } from './storage-full'

/**
 * Lets the browser give back the space of deleted rows. Chromium counts them until it compacts its files, which it does
 * when a database is deleted, for all databases that share files with it; elsewhere this does nothing.
 */
export async function compact(db: LocalDatabase): Promise<void> {
  const scratch = new Dexie(`${db.name}-compaction`)
  scratch.version(1).stores({ rows: 'key' })
  try {
    await scratch.open()
  } catch (error) {
    // Whoever asked tries its own write again, and finds out.
    if (!isStorageFull(error)) throw error
  } finally {
    await scratch.delete()
  }
}
