import type { OwnerId } from '../domain/ids'
import type { LocalDatabase } from './database'
import type { OwnerRow } from './rows'

/** How far an owner's sync has come; a new owner's state where none is stored. */
export async function readOwnerSyncState(db: LocalDatabase, owner: OwnerId): Promise<OwnerRow> {
  const fresh: OwnerRow = { owner, applied_rev: 0, pulled_at: null, paused: false, needs_pull: false }
  return (await db.owners.get(owner)) ?? fresh
}

/** Notes that server rows of this owner have changed: a pull that began before is thrown away. */
export async function raiseRevision(
  db: LocalDatabase,
  owner: OwnerId,
  change: Partial<Omit<OwnerRow, 'owner' | 'applied_rev'>> = {},
): Promise<void> {
  const syncState = await readOwnerSyncState(db, owner)
  await db.owners.put({ ...syncState, ...change, applied_rev: syncState.applied_rev + 1 })
}

export async function changeOwnerSyncState(
  db: LocalDatabase,
  owner: OwnerId,
  change: Partial<Omit<OwnerRow, 'owner' | 'applied_rev'>>,
): Promise<void> {
  await db.owners.put({ ...(await readOwnerSyncState(db, owner)), ...change })
}
