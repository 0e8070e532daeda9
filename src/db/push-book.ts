import type { LocalDatabase } from './database'
import { readMeta, writeMeta } from './queries/meta'
import type { OwnerId } from '../domain/ids'
import type { MetaRows } from './rows'
import { writeTransaction } from './with-room'

type PushBook = MetaRows['push']

const EMPTY: PushBook = { told: null, off: false, left: [], put_off: null }

/** How this device is reached by push; nothing is known of one where nobody has switched it on or off. */
export const readPushBook = async (db: LocalDatabase): Promise<PushBook> => (await readMeta(db, 'push')) ?? EMPTY

/** Has the next sync tell the server again where `owner` is reached: on the server, subscriptions end with sessions. */
export const tellPushAgain = (db: LocalDatabase, owner: OwnerId): Promise<void> =>
  changePushBook(db, ({ told }) => (told?.owner === owner ? { told: { ...told, outdated: true } } : null))

/** Changes it in a transaction, in which `change` is told what it is by then; null: nothing changes. */
export async function changePushBook(
  db: LocalDatabase,
  change: (book: PushBook) => Partial<PushBook> | null,
): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const book = await readPushBook(db)
    const changed = change(book)
    if (changed !== null) await writeMeta(db, 'push', { ...book, ...changed })
  })
}
