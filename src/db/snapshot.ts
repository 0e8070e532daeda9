import type { Coin } from '../contract/market'
import type { Widget } from '../contract/widget'
import type { OwnerId } from '../domain/ids'
import { activeRows, activeSlots, type KnownLimit } from '../domain/active-slots'
import { effectiveLimits, type Limits } from '../domain/tier-limits'
import { readWidgets } from './answers/widget-rows'
import type { LaidWidget } from './board'
import type { LocalDatabase } from './database'
import type { KnownIds } from './ids'
import type { Entry } from './outbox-entry'
import { overlay } from './overlay'
import { readMeta } from './queries/meta'
import type { MetaRows, OwnerRow, SessionRow } from './rows'

/** The tables that `readSnapshot` reads; a command's transaction names them. */
export const snapshotTables = (db: LocalDatabase) =>
  [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.meta] as const

/** What is known locally of whoever uses the app now, read in one go. */
export interface Snapshot {
  readonly session: SessionRow
  readonly owner: OwnerId
  readonly rows: readonly Widget[]
  /** The owner's entries by seq. */
  readonly entries: readonly Entry[]
  readonly ids: KnownIds
  readonly limits: Limits
  /** The server's list has been loaded since the owner came. */
  readonly isPulled: boolean
  readonly shown: readonly LaidWidget[]
  /** All coins that there are; none where the list has never been loaded. */
  readonly coins: readonly Coin[]
}

export async function readKnownIds(db: LocalDatabase): Promise<KnownIds> {
  return new Map((await db.ids.toArray()).map(({ temp, real }) => [temp, real]))
}

export const readEntries = (db: LocalDatabase, owner: OwnerId): Promise<Entry[]> =>
  db.outbox.where('owner').equals(owner).sortBy('seq')

function limitOf(
  { user }: SessionRow,
  book: OwnerRow | undefined,
  tiers: MetaRows['tier_limits'] | undefined,
): KnownLimit {
  const isPremium = user?.has_premium_access ?? false
  const limits = effectiveLimits(tiers?.limits, isPremium)
  if (tiers === undefined) return { limits, isFresh: false }
  const isOtherTier = (book?.pulled_as_premium ?? isPremium) !== isPremium
  return { limits, isFresh: isOtherTier || tiers.fetched_at >= (book?.pulled_at ?? -Infinity) }
}

/**
 * Undefined before there is an identity. Everything is asked for at once, whoever it belongs to: each wait for the
 * database would cost the screen a turn, and what others have left on this device is little.
 */
export async function readSnapshot(db: LocalDatabase): Promise<Snapshot | undefined> {
  const [session, books, widgetsOf, outbox, ids, tiers, coins] = await Promise.all([
    db.session.get('current'),
    db.owners.toArray(),
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
  const book = books.find((one) => one.owner === owner)
  const limit = limitOf(session, book, tiers)
  const shown = overlay(activeRows(rows, limit), entries, ids, activeSlots(rows, limit))
  return {
    session,
    owner,
    rows,
    entries,
    ids,
    limits: limit.limits,
    isPulled: book?.pulled_at != null,
    shown,
    coins: coins === undefined ? [] : coins.coins,
  }
}
