import type { LocalDatabase } from '../database'

/**
 * Forgets everything that can be loaded again: prices, ticks, history and the coin list. Never who the user is, what
 * the pairs are, or what still waits to be sent.
 */
export async function clearCache(db: LocalDatabase): Promise<void> {
  await db.transaction('rw', [db.prices, db.ticks, db.history, db.meta], () =>
    Promise.all([db.prices.clear(), db.ticks.clear(), db.history.clear(), db.meta.delete('coins')]),
  )
}
