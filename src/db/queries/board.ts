import type { Coin } from '../../contract/market'
import type { CoinId } from '../../domain/ids'
import { readyCoin } from '../../domain/ready-pairs'
import { accountOf } from '../account'
import type { OptimisticWidget } from '../board'
import type { LocalDatabase } from '../database'
import { canDiscard } from '../discardable'
import { isKnown, mutationTypeOf } from '../mutations/mutation-types'
import type { OutboxEntry } from '../outbox-entry'
import { readSnapshot, snapshotTables } from '../snapshot'
import {
  alertsViewOf,
  type BoardView,
  type ChangeView,
  type CoinView,
  type LayoutState,
  type WidgetView,
} from '../view'

const coinView = (id: CoinId, coin: Coin | undefined): CoinView =>
  coin === undefined
    ? { symbol: id.toUpperCase(), name: id, ...readyCoin(id), id, image: null }
    : { id, symbol: coin.symbol.toUpperCase(), name: coin.name, image: coin.image }

const widgetView = (widget: OptimisticWidget, key: string, coins: ReadonlyMap<CoinId, Coin>): WidgetView => ({
  id: widget.id,
  key,
  coinA: coinView(widget.coin_a_id, coins.get(widget.coin_a_id)),
  coinB: coinView(widget.coin_b_id, coins.get(widget.coin_b_id)),
  alerts: alertsViewOf(widget),
  notificationsEnabled: widget.notifications_enabled,
  isActive: widget.is_active,
  checkpoints: widget.checkpoints.map(({ id, ratio, timestamp, is_default, pending }) => ({
    id,
    ratio,
    timestamp,
    isDefault: is_default,
    isPending: pending,
  })),
  isPending: widget.pending,
  waiting: widget.waiting,
})

const changeState = (entry: OutboxEntry): ChangeView['state'] => {
  if (!isKnown(entry)) return 'unknown-version'
  return entry.state === 'leased' ? 'sending' : entry.state
}

const changeView = (entry: OutboxEntry): ChangeView => ({
  opId: entry.op_id,
  state: changeState(entry),
  title: isKnown(entry)
    ? mutationTypeOf(entry).title(entry.label)
    : `Change of ${entry.label} by another version of the app`,
  since: entry.created_at,
  attempts: entry.attempts,
  nextTryAt: entry.state === 'waiting' && entry.not_before > 0 ? entry.not_before : null,
  problem: entry.last_error?.message ?? null,
  canDiscard: canDiscard(entry),
})

const layoutState = (entries: readonly OutboxEntry[]): LayoutState => {
  const reorders = entries.filter((entry) => entry.kind === 'layout.reorder@1' && entry.state !== 'failed')
  if (reorders.length === 0) return 'idle'
  return reorders.some((entry) => entry.state === 'leased') ? 'saving' : 'dirty'
}

/** Undefined before there is an identity. */
export async function readBoard(db: LocalDatabase): Promise<BoardView | undefined> {
  return db.transaction('r', [...snapshotTables(db)], async () => {
    const snapshot = await readSnapshot(db)
    if (snapshot === undefined) return undefined
    const { owner, entries, ids, limits, shown } = snapshot
    const coins = new Map(snapshot.coins.map((coin) => [coin.id, coin]))
    // Of several temporary ids that lead to one widget, always the same one is its key.
    const keys = new Map([...ids].toReversed().map(([temp, real]) => [real, temp]))
    return {
      owner,
      account: accountOf(snapshot.session),
      widgets: shown.map((widget) => widgetView(widget, keys.get(widget.id) ?? widget.id, coins)),
      limits,
      loaded: snapshot.isPulled,
      changes: entries.map(changeView),
      layout: layoutState(entries),
      ids: Object.fromEntries(ids),
    }
  })
}
