import type { LocalDatabase } from '../database'
import type { AlertRow } from '../rows'

/** The present owner's alerts, as far as this device has learned of them: newest first. */
export async function readAlerts(db: LocalDatabase): Promise<readonly AlertRow[]> {
  return ofPresentOwner(db, [], async (rows) => (await rows.toArray()).toReversed())
}

/** How many of them nobody has had before their eyes. */
export async function countUnseenAlerts(db: LocalDatabase): Promise<number> {
  return ofPresentOwner(db, 0, (rows) => rows.filter(({ seen_at }) => seen_at === null).count())
}

/** Those that no page has shown as a toast, oldest first. */
export async function readUntoasted(db: LocalDatabase): Promise<readonly AlertRow[]> {
  return ofPresentOwner(db, [], (rows) => rows.filter(({ toasted }) => !toasted).toArray())
}

type Rows = ReturnType<typeof alertsOf>

/** An owner's alerts by when they fired. */
export const alertsOf = (db: LocalDatabase, owner: AlertRow['owner'], before = Infinity) =>
  db.alerts.where('[owner+at]').between([owner, -Infinity], [owner, before])

async function ofPresentOwner<T>(db: LocalDatabase, none: T, read: (rows: Rows) => PromiseLike<T>): Promise<T> {
  return db.transaction('r', db.session, db.alerts, async () => {
    const session = await db.session.get('current')
    return session === undefined ? none : read(alertsOf(db, session.owner))
  })
}
