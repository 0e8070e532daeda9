import type { LocalDatabase } from '../database'

/**
 * Forgets everything that can be loaded again: prices, ticks, history and the coin list, and when they were loaded.
 * Never who the user is, what the pairs are, or what still waits to be sent.
 */
export async function clearCache(db: LocalDatabase): Promise<void> {
  const tables = [db.prices, db.ticks, db.history, db.history_fetches, db.meta]
  await db.transaction('rw', tables, async () => {
    await Promise.all([db.prices.clear(), db.ticks.clear(), db.history.clear(), db.history_fetches.clear()])
    await db.meta.bulkDelete(['coins', 'price_poll', 'begun'])
  })
}
