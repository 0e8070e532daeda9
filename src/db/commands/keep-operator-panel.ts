import type { LocalDatabase } from '../database'
import { storeMeta } from '../store-meta'

/** Keeps whether the superuser panel stands open on this device. */
export const keepOperatorPanel = (db: LocalDatabase, open: boolean): Promise<void> =>
  storeMeta(db, 'operator_panel', { open })
