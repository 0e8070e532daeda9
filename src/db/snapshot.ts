import type { Widget } from '../contract/widget'
import type { OwnerId } from '../domain/ids'
import { effectiveLimits, FALLBACK_LIMITS, type Limits, type TierLimits } from '../domain/tier-limits'
import { readWidgets } from './answers/widget-rows'
import type { LaidWidget } from './board'
import type { LocalDatabase } from './database'
import type { KnownIds } from './ids'
import type { Entry } from './outbox-entry'
import { overlay } from './overlay'
import type { MetaRow, SessionRow } from './rows'

/** The tables that `readSnapshot` reads; a command's transaction names them. */
export const snapshotTables = (db: LocalDatabase) =>
  [db.session, db.widgets, db.checkpoints, db.outbox, db.ids, db.meta] as const

/** What is known locally of whoever uses the app now, read in one go. */
export interface Snapshot {
  readonly session: SessionRow
  readonly owner: OwnerId
  readonly rows: readonly Widget[]
  /** The owner's entries by seq. */
  readonly entries: readonly Entry[]
  readonly ids: KnownIds
  readonly limits: Limits
  readonly shown: readonly LaidWidget[]
}

export async function readKnownIds(db: LocalDatabase): Promise<KnownIds> {
  return new Map((await db.ids.toArray()).map(({ temp, real }) => [temp, real]))
}

export const readEntries = (db: LocalDatabase, owner: OwnerId): Promise<Entry[]> =>
  db.outbox.where('owner').equals(owner).sortBy('seq')

export async function readLimits(db: LocalDatabase, session: SessionRow): Promise<TierLimitsInForce> {
  const row = (await db.meta.get('tier_limits')) as MetaRow<'tier_limits'> | undefined
  const tiers: TierLimits | undefined = row?.value.limits
  return { limits: effectiveLimits(tiers, session.user?.has_premium_access ?? false), known: tiers !== undefined }
}
interface TierLimitsInForce {
  readonly limits: Limits
  /** False while the fallback holds. */
  readonly known: boolean
}

/** How many widgets are active: the tier's number; until that is known, at least as many as the server says. */
const activeSlots = ({ limits, known }: TierLimitsInForce, rows: readonly Widget[]): number =>
  known ? limits.max_widgets : Math.max(FALLBACK_LIMITS.max_widgets, rows.filter((row) => row.is_active).length)

/** Undefined before there is an identity. */
export async function readSnapshot(db: LocalDatabase): Promise<Snapshot | undefined> {
  const session = await db.session.get('current')
  if (session === undefined) return undefined
  const { owner } = session
  const [rows, entries, ids, inForce] = await Promise.all([
    readWidgets(db, owner),
    readEntries(db, owner),
    readKnownIds(db),
    readLimits(db, session),
  ])
  const shown = overlay(rows, entries, ids, activeSlots(inForce, rows))
  return { session, owner, rows, entries, ids, limits: inForce.limits, shown }
}
