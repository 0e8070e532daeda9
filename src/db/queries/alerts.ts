import { wayWords } from '../../domain/way-alerts'
import { isAnonymousOwner } from '../../domain/ids'
import { alertRowsOf } from '../alert-rows'
import { readOfOwner } from '../identity'
import { type LocalDatabase, readMeta } from '../database'
import type { AlertRow } from '../rows'

/** The present owner's alerts, as far as this device has learned of them: newest first. */
export async function readAlerts(db: LocalDatabase): Promise<readonly AlertRow[]> {
  return ofPresentOwner(db, [], async (rows) => (await rows.toArray()).toReversed())
}

export interface AlertLogView {
  /** Newest first. */
  readonly rows: readonly AlertRow[]
  /** Milliseconds of the last time that the server's list came home; null: never, as for a guest who had none there. */
  readonly pulledAt: number | null
  /** Whether more than this device's own alerts belong to the owner. */
  readonly isUser: boolean
}

/** The crossings that the Alerts page lists; undefined before there is an identity. */
export function readAlertLog(db: LocalDatabase): Promise<AlertLogView | undefined> {
  return readOfOwner(db, [db.owners, db.alerts], async ({ owner }) => {
    const [rows, syncState] = await Promise.all([alertRowsOf(db, owner).toArray(), db.owners.get(owner)])
    return {
      rows: rows.toReversed(),
      pulledAt: syncState?.alerts_pull?.at ?? null,
      isUser: !isAnonymousOwner(owner),
    }
  })
}

/** How many of them the user has not seen. */
export async function countUnseenAlerts(db: LocalDatabase): Promise<number> {
  return ofPresentOwner(db, 0, (rows) => rows.filter(({ seen_at }) => seen_at === null).count())
}

/** Those that no page has shown as a toast, oldest first. */
export async function readUntoasted(db: LocalDatabase): Promise<readonly AlertRow[]> {
  return ofPresentOwner(db, [], (rows) => rows.filter(({ toasted }) => !toasted).toArray())
}

/** The newest that is of a way to reach the owner, other than this browser, has not been seen here and is not over; undefined: none. */
export const readWayAlert = (db: LocalDatabase): Promise<AlertRow | undefined> =>
  readOfOwner(db, [db.alerts, db.meta], async ({ owner }) => {
    const own = `rule:${(await readMeta(db, 'push'))?.registered?.id}:`
    return alertRowsOf(db, owner)
      .filter((row) => wayWords(row) !== undefined && row.seen_at === null && row.back_at === undefined)
      .filter(({ event_id }) => !event_id.startsWith(own))
      .last()
  })

const ofPresentOwner = async <T>(
  db: LocalDatabase,
  none: T,
  read: (rows: ReturnType<typeof alertRowsOf>) => PromiseLike<T>,
): Promise<T> => (await readOfOwner(db, [db.alerts], ({ owner }) => read(alertRowsOf(db, owner)))) ?? none
