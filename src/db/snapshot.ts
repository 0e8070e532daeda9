import type { Coin } from '../contract/market'
import type { Widget } from '../contract/widget'
import { activeRows, activeSlots, effectiveLimits, type KnownLimit, type Limits } from '../domain/tier-limits'
import type { CoinId, OwnerId } from '../domain/ids'
import { pairLabel, readyCoin } from '../domain/pair'
import { readWidgets } from './answers/widget-rows'
import { type Board, canonical, fromRow, type KnownIds, type OptimisticWidget } from './board'
import { type LocalDatabase, readMeta } from './database'
import type { OutboxEntry } from './outbox-entry'
import { isLive, mutationTypeOf } from './mutations/mutation-types'
import type { MetaRows, OwnerRow, SessionRow } from './rows'

/**
 * The board on the screen: the server's rows with the user's later mutations applied.
 *
 *     rows (what the server last said) ── entry ── entry ── entry ──> screen
 *
 * Failed entries are left out, so a refused change reverts by itself.
 * @param rows in display order
 * @param entries of the same owner, in any order
 * @param slots how many of the first widgets the server makes active when their order or number changes
 */
export function overlay(
  rows: readonly Widget[],
  entries: readonly OutboxEntry[],
  ids: KnownIds,
  slots: number,
): OptimisticWidget[] {
  // Which of its rows are active is the server's word until an entry changes their order or number.
  const widgets = rows.map((row, display_order) => ({ ...fromRow(row), display_order }))
  let board: Board = { widgets, slots, resolve: (id) => canonical(ids, id) }
  const live = entries.filter(isLive).toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
  for (const entry of live) board = mutationTypeOf(entry).applyTo(board, entry)

  const waiting = new Map<string, number>()
  for (const entry of live) {
    const widget = mutationTypeOf(entry).widget(entry.payload)
    if (widget === null) continue
    const id = board.resolve(widget)
    waiting.set(id, (waiting.get(id) ?? 0) + 1)
  }
  return board.widgets.map((widget) => ({ ...widget, waiting: waiting.get(widget.id) ?? 0 }))
}

/** The tables that `readSnapshot` reads; a command's transaction names them. */
export const snapshotTables = (db: LocalDatabase) =>
  [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.meta] as const

/** Local rows of the current owner, read in one transaction. */
export interface Snapshot {
  readonly session: SessionRow
  readonly owner: OwnerId
  readonly rows: readonly Widget[]
  /** The owner's entries by seq. */
  readonly entries: readonly OutboxEntry[]
  readonly ids: KnownIds
  readonly limits: Limits
  /** The server's list has been loaded since the owner came. */
  readonly isPulled: boolean
  readonly shown: readonly OptimisticWidget[]
  /** All coins that there are; none where the list has never been loaded. */
  readonly coins: readonly Coin[]
}

export async function readKnownIds(db: LocalDatabase): Promise<KnownIds> {
  return new Map((await db.ids.toArray()).map(({ temp, real }) => [temp, real]))
}

export const readEntries = (db: LocalDatabase, owner: OwnerId): Promise<OutboxEntry[]> =>
  db.outbox.where('owner').equals(owner).sortBy('seq')

function limitOf(
  { user }: SessionRow,
  syncState: OwnerRow | undefined,
  tiers: MetaRows['tier_limits'] | undefined,
): KnownLimit {
  const isPremium = user?.has_premium_access ?? false
  const limits = effectiveLimits(tiers?.limits, isPremium)
  if (tiers === undefined) return { limits, isFresh: false }
  const isOtherTier = (syncState?.pulled_as_premium ?? isPremium) !== isPremium
  return { limits, isFresh: isOtherTier || tiers.fetched_at >= (syncState?.pulled_at ?? -Infinity) }
}

/**
 * Undefined before there is an identity. The rows of all owners are read at once: each further wait for the database would
 * delay the screen, and other owners have left few rows on this device.
 */
export async function readSnapshot(db: LocalDatabase): Promise<Snapshot | undefined> {
  const [session, syncStates, widgetsOf, outbox, ids, tiers, coins] = await Promise.all([
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
  const syncState = syncStates.find((one) => one.owner === owner)
  const limit = limitOf(session, syncState, tiers)
  const shown = overlay(activeRows(rows, limit), entries, ids, activeSlots(rows, limit))
  return {
    session,
    owner,
    rows,
    entries,
    ids,
    limits: limit.limits,
    isPulled: syncState?.pulled_at != null,
    shown,
    // A damaged row must fail here, not pass for an empty list.
    coins: coins === undefined ? [] : coins.coins,
  }
}

/** Reads one moment of the current owner's rows; undefined before there is an identity. */
export const withSnapshot = <T>(
  db: LocalDatabase,
  read: (snapshot: Snapshot) => T | PromiseLike<T>,
): Promise<T | undefined> =>
  db.transaction('r', [...snapshotTables(db)], async () => {
    const snapshot = await readSnapshot(db)
    return snapshot && read(snapshot)
  })

/** The user's name for a pair, such as `BTC/ETH`; coin ids while the list is not known. */
export function pairName({ coins }: Pick<Snapshot, 'coins'>, coinA: CoinId, coinB: CoinId): string {
  const symbol = (id: CoinId): string => coins.find((coin) => coin.id === id)?.symbol ?? readyCoin(id)?.symbol ?? id
  return pairLabel(symbol(coinA), symbol(coinB))
}
