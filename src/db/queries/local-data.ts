import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import type { OutboxEntry } from '../outbox-entry'
import { readPushRegistration } from '../push-registration'
import type { AlertRow, CheckpointRow, WidgetRow } from '../rows'
import { alertRowsOf } from './alerts'
import { readMeta } from './meta'

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
