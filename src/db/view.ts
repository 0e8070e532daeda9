import type { Coin } from '../contract/market'
import type { CheckpointId, CoinId, OpId, OwnerId, WidgetId } from '../domain/ids'
import type { Limits } from '../domain/tier-limits'
import type { Account } from './account'

/** A coin as a card shows it. */
export interface CoinView {
  readonly id: CoinId
  /** Upper case; the id where the coin is not known. */
  readonly symbol: string
  readonly name: string
  readonly image: string | null
}

export interface CheckpointView {
  readonly id: CheckpointId
  readonly ratio: number
  readonly timestamp: string
  readonly isDefault: boolean
  readonly isPending: boolean
}

/** A widget as the screen shows it: server row and outbox entries laid over each other. */
export interface WidgetView {
  /** Temporary until the server has answered its create, then the server's. Commands take either for ever. */
  readonly id: WidgetId
  /** The key React lists use; does not change when the server answers a create. */
  readonly key: string
  readonly coinA: CoinView
  readonly coinB: CoinView
  readonly highThreshold: number | null
  readonly lowThreshold: number | null
  readonly notificationsEnabled: boolean
  readonly highThresholdActive: boolean
  readonly lowThresholdActive: boolean
  /** Numbers of the present armings; a new one has a new number. */
  readonly highEpoch: number
  readonly lowEpoch: number
  readonly isActive: boolean
  readonly checkpoints: readonly CheckpointView[]
  /** The server has not yet answered its create: the card says "Saving...". */
  readonly isPending: boolean
  /** Changes of this widget that the server has not answered. */
  readonly waiting: number
}

/** A change that waits or was refused, for the list the offline line opens. */
export interface ChangeView {
  readonly opId: OpId
  readonly state: 'waiting' | 'sending' | 'failed' | 'unknown-version'
  /** Such as "Add BTC/ETH". */
  readonly title: string
  readonly since: number
  readonly attempts: number
  /** Milliseconds; it is not tried before; null when it is due or was refused. */
  readonly nextTryAt: number | null
  readonly problem: string | null
  /** False while its request is under way. A change that was sent may have arrived all the same; see `readDiscard`. */
  readonly canDiscard: boolean
}

export type LayoutState = 'idle' | 'dirty' | 'saving'

/** Everything the dashboard shows that is not a price. */
export interface BoardView {
  readonly owner: OwnerId
  readonly account: Account
  readonly widgets: readonly WidgetView[]
  readonly limits: Limits
  /** False until the server's list was loaded once for this owner: an empty board is not yet known to be empty. */
  readonly loaded: boolean
  readonly changes: readonly ChangeView[]
  readonly layout: LayoutState
  /** Temporary ids of this device and the ids they go by now; see `findWidget`. */
  readonly ids: Readonly<Record<string, string>>
}

/** The widget an address or an open dialog means, whether it remembers the temporary id or the server's. */
export const findWidget = (board: Pick<BoardView, 'widgets' | 'ids'>, id: string): WidgetView | undefined => {
  const real = board.ids[id] ?? id
  return board.widgets.find((widget) => widget.id === real)
}

export interface CoinListView {
  readonly coins: readonly Coin[]
  readonly fetchedAt: number
}
