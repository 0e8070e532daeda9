import type { Coin } from '../contract/market'
import type { Rule } from '../contract/rules'
import type { UpdateWidgetBody, Widget } from '../contract/widget'
import { ALERT_SIDES, type AlertRule, type AlertSide, ruleOf, type Sides, SIDES } from '../domain/alerts'
import type { CoinPrices } from '../domain/coin-prices'
import type { CheckpointId, CoinId, OpId, OwnerId, RuleId, WidgetId } from '../domain/ids'
import { readyCoin } from '../domain/pair'
import type { Snooze } from '../domain/snooze'
import type { Limits } from '../domain/tier-limits'
import { type Account, accountOf } from './account'
import type { OptimisticWidget } from './board'
import { canDiscard } from './dependents'
import type { OutboxEntry } from './outbox-entry'
import { isHeld, isKnown, mutationTypeOf } from './mutations/mutation-types'
import type { Snapshot } from './snapshot'

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
  /** Of which the ratio is made; null: not known. */
  readonly prices: CoinPrices | null
  readonly timestamp: string
  readonly isDefault: boolean
  readonly isPending: boolean
}

/** One side's alert. */
interface AlertView {
  /** A ratio; null: none is set. */
  readonly threshold: number | null
  /** It fires at its next crossing. */
  readonly armed: boolean
  /** Raised when a disarmed side is armed again. */
  readonly epoch: number
}
export type AlertsView = Sides<AlertView>

/** An alert that is set, as it is judged. */
export interface RuleView extends AlertRule {
  readonly id: RuleId
  readonly side: AlertSide
  readonly armed: boolean
  readonly epoch: number
}

/** An alert beside the thresholds, which the server alone judges. */
export interface ServerRuleView extends Rule {
  readonly isPending: boolean
}

/** A widget as the screen shows it: the server's row with the user's unanswered mutations. */
export interface WidgetView {
  /** Temporary until the server has answered its create, then the server's. Commands take either for ever. */
  readonly id: WidgetId
  /** The key React lists use; does not change when the server answers a create. */
  readonly key: string
  readonly coinA: CoinView
  readonly coinB: CoinView
  readonly alerts: AlertsView
  /** Of both thresholds: a share of the threshold, and minutes; see `AlertRule`. */
  readonly margin: number
  readonly holdMinutes: number
  /** The thresholds that are set. */
  readonly rules: readonly RuleView[]
  readonly serverRules: readonly ServerRuleView[]
  readonly notificationsEnabled: boolean
  /** It may be over meanwhile. Absent: none. */
  readonly snooze?: Snooze
  readonly isActive: boolean
  readonly checkpoints: readonly CheckpointView[]
  /** The server has not yet answered its create: the card says "Saving...". */
  readonly isPending: boolean
  /** Changes of this widget that the server has not answered. */
  readonly waiting: number
  /** Those of them that are held for their Undo: the card does not count them. */
  readonly held: number
}

/** Two coins, on the dashboard or not. */
export type PairView = Pick<WidgetView, 'coinA' | 'coinB'>

/** A change of a widget; absent sides and fields stay as they are. */
export interface WidgetChange {
  readonly notificationsEnabled?: boolean
  readonly margin?: number
  readonly holdMinutes?: number
  /** Null: ends it. */
  readonly snooze?: Snooze | null
  readonly alerts?: Partial<Sides<Partial<Omit<AlertView, 'epoch'>>>>
}

type AlertFields = Pick<Widget, `${AlertSide}_${'threshold' | 'threshold_active' | 'epoch'}`>

type SettingFields = Pick<Widget, 'id'> & Partial<Pick<Widget, 'alert_margin' | 'alert_hold_minutes'>>

/** Both sides of a row. This and `updateBodyOf` know the row's and the wire's names of the sides. */
export const alertsViewOf = (row: AlertFields): AlertsView => ({
  high: { threshold: row.high_threshold, armed: row.high_threshold_active, epoch: row.high_epoch },
  low: { threshold: row.low_threshold, armed: row.low_threshold_active, epoch: row.low_epoch },
})

/** The thresholds of a row that are set. */
export function rulesOf(row: AlertFields & SettingFields): readonly RuleView[] {
  const alerts = alertsViewOf(row)
  return ALERT_SIDES.flatMap((side) => {
    const { threshold: level, armed, epoch } = alerts[side]
    if (level === null) return []
    return { id: ruleOf(row.id, side), side, kind: SIDES[side].kind, level, ...marginAndHold(row), armed, epoch }
  })
}

/** Rows of earlier versions have neither. */
const marginAndHold = (row: SettingFields) => ({
  margin: row.alert_margin ?? 0,
  holdMinutes: row.alert_hold_minutes ?? 0,
})

export const updateBodyOf = ({
  notificationsEnabled,
  margin,
  holdMinutes,
  snooze,
  alerts: { high, low } = {},
}: WidgetChange): UpdateWidgetBody => ({
  ...(notificationsEnabled !== undefined && { notifications_enabled: notificationsEnabled }),
  ...(margin !== undefined && { alert_margin: margin }),
  ...(holdMinutes !== undefined && { alert_hold_minutes: holdMinutes }),
  ...(snooze !== undefined && {
    snoozed_until: snooze && new Date(snooze.until).toISOString(),
    snoozed_until_back: snooze?.untilBack === true,
  }),
  ...(high?.threshold !== undefined && { high_threshold: high.threshold }),
  ...(high?.armed !== undefined && { high_threshold_active: high.armed }),
  ...(low?.threshold !== undefined && { low_threshold: low.threshold }),
  ...(low?.armed !== undefined && { low_threshold_active: low.armed }),
})

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
  /** Milliseconds: a change that can be undone is not sent before; null for others. */
  readonly heldUntil: number | null
  readonly problem: string | null
  /** False while its request is under way. A change that was sent may have arrived all the same; see `readDiscard`. */
  readonly canDiscard: boolean
}

type LayoutState = 'idle' | 'dirty' | 'saving'

/** The dashboard's data, prices excepted. */
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

/** @param coin undefined: not in the stored list */
export const coinView = (id: CoinId, coin: Coin | undefined): CoinView =>
  coin === undefined
    ? { symbol: id.toUpperCase(), name: id, ...readyCoin(id), id, image: null }
    : { id, symbol: coin.symbol.toUpperCase(), name: coin.name, image: coin.image }

const widgetView = (widget: OptimisticWidget, key: string, coins: ReadonlyMap<CoinId, Coin>): WidgetView => ({
  id: widget.id,
  key,
  coinA: coinView(widget.coin_a_id, coins.get(widget.coin_a_id)),
  coinB: coinView(widget.coin_b_id, coins.get(widget.coin_b_id)),
  alerts: alertsViewOf(widget),
  ...marginAndHold(widget),
  rules: rulesOf(widget),
  serverRules: widget.rules.map(({ pending, ...rule }) => ({ ...rule, isPending: pending })),
  notificationsEnabled: widget.notifications_enabled,
  ...(widget.snoozed_until != null && {
    snooze: { until: Date.parse(widget.snoozed_until), untilBack: widget.snoozed_until_back === true },
  }),
  isActive: widget.is_active,
  checkpoints: widget.checkpoints.map(({ id, ratio, prices, timestamp, is_default, pending }) => ({
    id,
    ratio,
    prices: prices ?? null,
    timestamp,
    isDefault: is_default,
    isPending: pending,
  })),
  isPending: widget.pending,
  waiting: widget.waiting,
  held: widget.held,
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
  heldUntil: isHeld(entry) ? entry.not_before : null,
  problem: entry.last_error?.message ?? null,
  canDiscard: canDiscard(entry),
})

/** An order that cannot be sent again as it is was taken back; any other one that failed is still to be saved. */
const isToSave = ({ state, last_error }: OutboxEntry): boolean =>
  state !== 'failed' || last_error?.error_code !== 'FORBIDDEN_REORDER_MIX'

const layoutState = (entries: readonly OutboxEntry[]): LayoutState => {
  const reorders = entries.filter((entry) => entry.kind === 'layout.reorder@1' && isToSave(entry))
  if (reorders.length === 0) return 'idle'
  return reorders.some((entry) => entry.state === 'leased') ? 'saving' : 'dirty'
}

export function boardOf(snapshot: Snapshot): BoardView {
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
}
