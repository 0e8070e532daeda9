import { wayWords } from '../domain/way-alerts'
import { readOfOwner } from './identity'
import { without } from './board'
import { type LocalDatabase, loadedTables, readMeta } from './database'
import { readPushRegistration } from './push-registration'
import { alertRowsOf } from './alert-rows'
import { readEntries } from './board-rows'
/** Data of the present owner that only this browser has, and its copy of their pairs. No token, no key. */
export const readLocalData = (db: LocalDatabase) =>
  readOfOwner(db, [db.widgets, db.checkpoints, db.outbox, db.alerts, db.meta], async ({ owner }) => {
    const [widgets, checkpoints, outbox, alerts, drafts, { registered, off }] = await Promise.all([
      db.widgets.where('owner').equals(owner).sortBy('display_order'),
      db.checkpoints.where('owner').equals(owner).sortBy('display_order'),
      readEntries(db, owner),
      alertRowsOf(db, owner).toArray(),
      readMeta(db, 'feedback_drafts'),
      readPushRegistration(db),
    ])
    return {
      // Without the owner: a guest's id is the proof of owning the pairs.
      widgets: widgets.map((row) => without(row, 'owner')),
      checkpoints: checkpoints.map((row) => without(row, 'owner')),
      /** Changes that the server has not taken, oldest first. */
      waiting_changes: outbox.map(({ kind, payload, state, created_at }) => {
        return { kind, payload, state, made_at: iso(created_at) }
      }),
      /** Alerts as this browser learned of them, newest first. `back_at` null: the ratio is not known to have come back. */
      alerts: alerts.toReversed().map((row) => {
        const { pair, side, ratio, threshold, kind, note, by, at, back_at } = row
        return {
          // An alert of a way has those of another.
          ...(wayWords(row) === undefined && { pair, side, ratio, threshold }),
          ...(kind !== undefined && { kind }),
          ...(note !== undefined && { note }),
          by,
          at: iso(at),
          back_at: back_at === undefined ? null : iso(back_at),
        }
      }),
      feedback_draft: drafts?.[owner] ?? null,
      notifications: registered !== null && !off ? 'on' : 'off',
    }
  })

export type LocalData = NonNullable<Awaited<ReturnType<typeof readLocalData>>>

const iso = (at: number): string => new Date(at).toISOString()

/**
 * Forgets everything that can be loaded again: prices, ticks, history, daily closes and the coin list, and when they were loaded.
 * Never who the user is, what the pairs are, or what still waits to be sent.
 */
export async function clearCache(db: LocalDatabase): Promise<void> {
  const loaded = loadedTables(db)
  await db.transaction('rw', [...loaded, db.meta], async () => {
    await Promise.all(loaded.map((table) => table.clear()))
    await db.meta.bulkDelete(['coins', 'price_poll', 'begun'])
  })
}

/** Counts of this browser's rows. */
export interface DeviceFacts {
  /** Rows of each table, by its name. */
  readonly rows: readonly (readonly [table: string, rows: number])[]
  /** Milliseconds of the last pull that was kept, of the present owner; null: there was none. */
  readonly pulledAt: number | null
}

/** Of one moment. */
export async function readDeviceFacts(db: LocalDatabase): Promise<DeviceFacts> {
  return db.transaction('r', db.tables, async () => {
    const rows = await Promise.all(db.tables.map(async (table) => [table.name, await table.count()] as const))
    const session = await db.session.get('current')
    const syncState = session && (await db.owners.get(session.owner))
    return { rows, pulledAt: syncState?.pulled_at ?? null }
  })
}
