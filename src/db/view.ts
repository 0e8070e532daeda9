import type { Coin } from '../contract/market'
import type { CheckpointId, CoinId, OpId, OwnerId, WidgetId } from '../domain/ids'
import type { Limits } from '../domain/tier-limits'

/** A coin as a card shows it; `coin` is null while the list has never been loaded or lacks it. */
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
  /** Stable while the widget lives: the temp id it was made with on this device goes on naming it through `ids`. */
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
  /** Milliseconds; when it is tried next, null when it is due or blocked. */
  readonly nextTryAt: number | null
  readonly problem: string | null
}

export type LayoutState = 'idle' | 'dirty' | 'saving'

/** Everything the dashboard shows that is not a price. */
export interface BoardView {
  readonly owner: OwnerId
  readonly widgets: readonly WidgetView[]
  readonly limits: Limits
  /** False until the server's list was loaded once for this owner: an empty board is not yet known to be empty. */
  readonly loaded: boolean
  readonly changes: readonly ChangeView[]
  readonly layout: LayoutState
}

export interface CoinListView {
  readonly coins: readonly Coin[]
  readonly fetchedAt: number
}
