import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import type { OwnerRow } from '../rows'

/** An owner's book-keeping; a new owner's where there is none. */
export async function readBook(db: LocalDatabase, owner: OwnerId): Promise<OwnerRow> {
  const fresh: OwnerRow = { owner, applied_rev: 0, pulled_at: null, paused: false, pull_wanted: false }
  return (await db.owners.get(owner)) ?? fresh
}

/** Notes that server rows of this owner have changed: a pull that began before is thrown away. */
export async function raiseRevision(
  db: LocalDatabase,
  owner: OwnerId,
  change: Partial<Omit<OwnerRow, 'owner' | 'applied_rev'>> = {},
): Promise<void> {
  const book = await readBook(db, owner)
  await db.owners.put({ ...book, ...change, applied_rev: book.applied_rev + 1 })
}

export async function changeBook(
  db: LocalDatabase,
  owner: OwnerId,
  change: Partial<Omit<OwnerRow, 'owner' | 'applied_rev'>>,
): Promise<void> {
  await db.owners.put({ ...(await readBook(db, owner)), ...change })
}
