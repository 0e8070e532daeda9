import type { LocalDatabase } from './database'
import { writeMeta } from './queries/meta'
import type { MetaKey, MetaRows } from './rows'
import { withRoom } from './with-room'

/** Replaces a single record in a transaction of its own, with room made for it where it takes that. */
export const storeMeta = <K extends MetaKey>(db: LocalDatabase, key: K, value: MetaRows[K]): Promise<void> =>
  withRoom(db, () => writeMeta(db, key, value))
