import type { OwnerId } from '../domain/ids'
import type { KnownIds } from './board'
import { type LocalDatabase, readMeta } from './database'
import type { OutboxEntry } from './outbox-entry'
import { type Snapshot, snapshotOf } from './snapshot'

/** The tables that `readSnapshot` reads; a command's transaction names them. */
export const snapshotTables = (db: LocalDatabase) =>
  [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.meta] as const

export async function readKnownIds(db: LocalDatabase): Promise<KnownIds> {
  return new Map((await db.ids.toArray()).map(({ temp, real }) => [temp, real]))
}

export const readEntries = (db: LocalDatabase, owner: OwnerId): Promise<OutboxEntry[]> =>
  db.outbox.where('owner').equals(owner).sortBy('seq')

/**
 * Undefined before there is an identity. All tables are read at once: each further wait for the database would delay the
 * screen.
 */
export async function readSnapshot(db: LocalDatabase): Promise<Snapshot | undefined> {
  const [session, owners, widgets, checkpoints, outbox, ids, tiers, coins] = await Promise.all([
    db.session.get('current'),
    db.owners.toArray(),
    db.widgets.toArray(),
    db.checkpoints.toArray(),
    db.outbox.toArray(),
    db.ids.toArray(),
    readMeta(db, 'tier_limits'),
    readMeta(db, 'coins'),
  ])
  return snapshotOf({ session, owners, widgets, checkpoints, outbox, ids, tiers, coins })
}

/** Reads one moment of the current owner's rows; undefined before there is an identity. */
export const withSnapshot = <T>(
  db: LocalDatabase,
  read: (snapshot: Snapshot) => T | PromiseLike<T>,
): Promise<T | undefined> =>
  db.transaction('r', [...snapshotTables(db)], async () => {
    const snapshot = await readSnapshot(db)
    return snapshot && read(snapshot)
  })
