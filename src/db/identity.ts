import type { Table } from 'dexie'
import { anonymousId, isAnonymousOwner, type OwnerId } from '../domain/ids'
import { type AccountView, accountViewOf } from './account'
import type { CommandContext } from './command'
import { type LocalDatabase, readMeta } from './database'
import type { SessionRow } from './rows'

/** Reads one moment of the present owner's rows; undefined before there is an identity. */
export const readOfOwner = <T>(
  db: LocalDatabase,
  tables: readonly Table[],
  read: (session: SessionRow) => PromiseLike<T>,
): Promise<T | undefined> =>
  db.transaction('r', [db.session, ...tables], async () => {
    const session = await db.session.get('current')
    return session && read(session)
  })

export const readAccountView = (db: LocalDatabase): Promise<AccountView | undefined> =>
  readOfOwner(db, [db.owners, db.meta], async (session) => {
    // A guest's view holds nothing of the owner's row, and is not read again for each of its changes.
    const syncStateRead = isAnonymousOwner(session.owner) ? undefined : db.owners.get(session.owner)
    const [policies, syncState] = await Promise.all([readMeta(db, 'policies'), syncStateRead])
    return accountViewOf({ session, syncState, policies: policies?.policies ?? null })
  })

/**
 * The identity of this browser; a guest's is made where there is none. Several tabs may ask at once: one of them makes it.
 * @param randomBytes at least 24 bytes from a cryptographic source
 */
export async function ensureIdentity(
  { db, now }: Pick<CommandContext, 'db' | 'now'>,
  randomBytes: Uint8Array,
): Promise<OwnerId> {
  return db.transaction('rw', db.session, async () => {
    const session = await db.session.get('current')
    if (session !== undefined) return session.owner
    const owner = anonymousId(now(), randomBytes)
    await db.session.add({ key: 'current', owner, tokens: null, user: null, anonymous_id: owner })
    return owner
  })
}
