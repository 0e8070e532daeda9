import { changeOwnerSyncState, readOwnerSyncState } from './owner-sync-state'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import type { OwnerId } from '../domain/ids'
import type { MetaRows, OwnerRow } from './rows'
import { writeTransaction } from './write-transaction'

/** Records that the stream names by a version: the public settings, and the policies in force. */
type Versioned = keyof MetaRows['versions']

/** True while the stored record is not of the version that the stream named last. */
export const isVersionOutdated = (versions: MetaRows['versions'] | undefined, what: Versioned): boolean => {
  const version = versions?.[what]
  return version !== undefined && version.told !== version.held
}

/** The version that the stream has named; null: none. Read before a request, it is the least that the answer has. */
export const readAnnounced = async (db: LocalDatabase, what: Versioned): Promise<string | null> =>
  (await readMeta(db, 'versions'))?.[what]?.told ?? null

/** The stream has named a version. */
export const noteAnnounced = (db: LocalDatabase, what: Versioned, told: string): Promise<void> =>
  changeVersion(db, what, ({ held }) => ({ told, held }))

/** The stored record is of at least the version that was named before it was asked for; null: none was. */
export async function noteHeld(db: LocalDatabase, what: Versioned, held: string | null): Promise<void> {
  if (held !== null) await changeVersion(db, what, ({ told }) => ({ told: told ?? held, held }))
}

type Version = NonNullable<MetaRows['versions'][Versioned]>

async function changeVersion(
  db: LocalDatabase,
  what: Versioned,
  next: (before: { readonly told: string | null; readonly held: string | null }) => Version,
): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const versions = (await readMeta(db, 'versions')) ?? {}
    const before = versions[what] ?? { told: null, held: null }
    const after = next(before)
    if (after.told === before.told && after.held === before.held) return
    await writeMeta(db, 'versions', { ...versions, [what]: after })
  })
}

/** True while the user's account here is not the one that the stream named last, or an answer wants it loaded anew. */
export const isAccountOutdated = ({ needs_account_refresh, told_account, held_account }: OwnerRow): boolean =>
  needs_account_refresh === true || (told_account !== undefined && told_account !== held_account)

/** The account here is at least the one that was named before it was asked for. */
export async function noteHeldAccount(db: LocalDatabase, owner: OwnerId, held: number | undefined): Promise<void> {
  if (held === undefined) return
  await writeTransaction(db, [db.owners], async () => {
    const syncState = await readOwnerSyncState(db, owner)
    if (syncState.held_account !== held) await changeOwnerSyncState(db, owner, { held_account: held })
  })
}
