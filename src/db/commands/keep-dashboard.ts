import type { LocalDatabase } from '../database'
import type { MetaRows } from '../rows'
import { storeMeta } from '../store-meta'

/** Keeps how this device shows the pairs. */
export const keepDashboard = (db: LocalDatabase, choice: MetaRows['dashboard']): Promise<void> =>
  storeMeta(db, 'dashboard', choice)
