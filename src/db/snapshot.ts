import type { Coin } from '../contract/market'
import type { Widget } from '../contract/widget'
import type { OwnerId } from '../domain/ids'
import { effectiveLimits, FALLBACK_LIMITS, type Limits, type TierLimits } from '../domain/tier-limits'
import { readWidgets } from './answers/widget-rows'
import type { LaidWidget } from './board'
import type { LocalDatabase } from './database'
import type { KnownIds } from './ids'
import type { Entry } from './outbox-entry'
import { overlay } from './overlay'
import { readMeta } from './queries/meta'
import type { SessionRow } from './rows'

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
  /** All coins that there are; none where the list has never been loaded. */
  readonly coins: readonly Coin[]
}

export async function readKnownIds(db: LocalDatabase): Promise<KnownIds> {
  return new Map((await db.ids.toArray()).map(({ temp, real }) => [temp, real]))
}

export const readEntries = (db: LocalDatabase, owner: OwnerId): Promise<Entry[]> =>
  db.outbox.where('owner').equals(owner).sortBy('seq')

interface TierLimitsInForce {
  readonly limits: Limits
  /** False while the fallback holds. */
  readonly known: boolean
}

/** How many widgets are active: the tier's number; until that is known, at least as many as the server says. */
const activeSlots = ({ limits, known }: TierLimitsInForce, rows: readonly Widget[]): number =>
  known ? limits.max_widgets : Math.max(FALLBACK_LIMITS.max_widgets, rows.filter((row) => row.is_active).length)

function limitsFor({ user }: SessionRow, tiers: TierLimits | undefined): TierLimitsInForce {
  return { limits: effectiveLimits(tiers, user?.has_premium_access ?? false), known: tiers !== undefined }
}

/**
 * Undefined before there is an identity. Everything is asked for at once, whoever it belongs to: each wait for the
 * database would cost the screen a turn, and what others have left on this device is little.
 */
export async function readSnapshot(db: LocalDatabase): Promise<Snapshot | undefined> {
  const [session, widgetsOf, outbox, ids, tiers, coins] = await Promise.all([
    db.session.get('current'),
    readWidgets(db),
    db.outbox.toArray(),
    readKnownIds(db),
    readMeta(db, 'tier_limits'),
    readMeta(db, 'coins'),
  ])
  if (session === undefined) return undefined
  const { owner } = session
  const rows = widgetsOf(owner)
  const entries = outbox.filter((entry) => entry.owner === owner)
  const inForce = limitsFor(session, tiers?.limits)
  const shown = overlay(rows, entries, ids, activeSlots(inForce, rows))
  return {
    session,
    owner,
    rows,
    entries,
    ids,
    limits: inForce.limits,
    shown,
    coins: coins === undefined ? [] : coins.coins,
  }
}
