import type { Coin } from '../contract/market'
import type { Widget } from '../contract/widget'
import { activeRows, activeSlots, effectiveLimits, type KnownLimit, type Limits } from '../domain/tier-limits'
import type { CoinId, OwnerId, WidgetId } from '../domain/ids'
import { pairLabel, readyCoin } from '../domain/pair'
import { type Board, canonical, fromRow, type KnownIds, type OptimisticWidget, widgetsOf } from './board'
import type { OutboxEntry } from './outbox-entry'
import { isHeld, isLive, mutationTypeOf } from './mutations/mutation-types'
import type { BoardRows, MetaRows, OwnerRow, SessionRow } from './rows'
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

  const waiting = countByWidget(live, board)
  const held = countByWidget(live.filter(isHeld), board)
  return board.widgets.map((widget) => ({ ...widget, waiting: waiting(widget.id), held: held(widget.id) }))
}

function countByWidget(entries: readonly OutboxEntry[], { resolve }: Board): (id: WidgetId) => number {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const widget = mutationTypeOf(entry).widget(entry.payload)
    if (widget !== null) counts.set(resolve(widget), (counts.get(resolve(widget)) ?? 0) + 1)
  }
  return (id) => counts.get(id) ?? 0
}

/** Local rows of the current owner. */
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

/** Undefined before there is an identity. */
export function snapshotOf({ session, owners, outbox, tiers, coins, ...stored }: BoardRows): Snapshot | undefined {
  if (session === undefined) return undefined
  const { owner } = session
  const rows = widgetsOf(owner, stored)
  const entries = outbox.filter((entry) => entry.owner === owner)
  const ids = new Map(stored.ids.map(({ temp, real }) => [temp, real]))
  const syncState = owners.find((one) => one.owner === owner)
  const limit = limitOf(session, syncState, tiers)
  return {
    session,
    owner,
    rows,
    entries,
    ids,
    limits: limit.limits,
    isPulled: syncState?.pulled_at != null,
    shown: overlay(activeRows(rows, limit), entries, ids, activeSlots(rows, limit)),
    // A damaged row must fail here, not pass for an empty list.
    coins: coins === undefined ? [] : coins.coins,
  }
}

/** The user's name for a pair, such as `BTC/ETH`; coin ids while the list is not known. */
export function pairName({ coins }: Pick<Snapshot, 'coins'>, coinA: CoinId, coinB: CoinId): string {
  const symbol = (id: CoinId): string => coins.find((coin) => coin.id === id)?.symbol ?? readyCoin(id)?.symbol ?? id
  return pairLabel(symbol(coinA), symbol(coinB))
}
