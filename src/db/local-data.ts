import type { OwnerId } from '../domain/ids'
import type { LocalDatabase } from './database'
import type { OutboxEntry } from './outbox-entry'
import { readPushRegistration } from './push-registration'
import type { AlertRow, CheckpointRow, WidgetRow } from './rows'
import { alertRowsOf } from './queries/alerts'
import { readMeta } from './queries/meta'

/** Data that this browser alone has of its user, and its copy of their pairs. No token, no key. */
export interface LocalData {
  readonly widgets: readonly Omit<WidgetRow, 'owner'>[]
  readonly checkpoints: readonly Omit<CheckpointRow, 'owner'>[]
  /** Changes that the server has not taken, oldest first. */
  readonly waiting_changes: readonly {
    readonly kind: string
    readonly payload: unknown
    readonly state: string
    readonly made_at: string
  }[]
  /** Alerts as this browser learned of them, newest first. */
  readonly alerts: readonly (Pick<AlertRow, 'pair' | 'side' | 'ratio' | 'threshold' | 'by'> & {
    readonly at: string
    /** When the ratio came back; null: it has not, as far as is known. */
    readonly back_at: string | null
  })[]
  readonly feedback_draft: string | null
  readonly notifications: 'on' | 'off'
}

/** Undefined before there is an identity. */
export async function readLocalData(db: LocalDatabase): Promise<LocalData | undefined> {
  return db.transaction('r', [db.session, db.widgets, db.checkpoints, db.outbox, db.alerts, db.meta], async () => {
    const owner = (await db.session.get('current'))?.owner
    if (owner === undefined) return undefined
    const [widgets, checkpoints, outbox, alerts, drafts, { registered, off }] = await Promise.all([
      db.widgets.where('owner').equals(owner).sortBy('display_order'),
      db.checkpoints.where('owner').equals(owner).sortBy('display_order'),
      db.outbox.where('owner').equals(owner).sortBy('seq'),
      alertRowsOf(db, owner).toArray(),
      readMeta(db, 'feedback_drafts'),
      readPushRegistration(db),
    ])
    return {
      widgets: widgets.map(ownerless),
      checkpoints: checkpoints.map(ownerless),
      waiting_changes: outbox.map(changeOf),
      alerts: alerts.toReversed().map(({ pair, side, ratio, threshold, by, at, back_at }) => ({
        pair,
        side,
        ratio,
        threshold,
        by,
        at: iso(at),
        back_at: back_at === undefined ? null : iso(back_at),
      })),
      feedback_draft: drafts?.[owner] ?? null,
      notifications: registered !== null && !off ? 'on' : 'off',
    }
  })
}

const iso = (at: number): string => new Date(at).toISOString()

/** A guest's id is what owning the pairs is proved with. */
function ownerless<T extends { readonly owner: OwnerId }>(row: T): Omit<T, 'owner'> {
  const { owner: _, ...rest } = row
  return rest
}

const changeOf = ({ kind, payload, state, created_at }: OutboxEntry) => ({
  kind,
  payload,
  state,
  made_at: iso(created_at),
})

/**
 * Forgets everything that can be loaded again: prices, ticks, history and the coin list, and when they were loaded.
 * Never who the user is, what the pairs are, or what still waits to be sent.
 */
export async function clearCache(db: LocalDatabase): Promise<void> {
  const tables = [db.prices, db.ticks, db.history, db.history_fetches, db.meta]
  await db.transaction('rw', tables, async () => {
    await Promise.all([db.prices.clear(), db.ticks.clear(), db.history.clear(), db.history_fetches.clear()])
    await db.meta.bulkDelete(['coins', 'price_poll', 'begun'])
  })
}

/** Counts of this browser's rows. */
export interface DeviceFacts {
  /** Rows of each table, by its name. */
  readonly rows: readonly (readonly [table: string, rows: number])[]
  /** Milliseconds of the last pull that was kept, of whoever uses this browser; null: there was none. */
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
