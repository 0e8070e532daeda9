import type { Checkpoint } from '../contract/checkpoint'
import type { Rule } from '../contract/rules'
import type { Widget } from '../contract/widget'
import type { OwnerId, WidgetId } from '../domain/ids'
import { isActiveAt } from '../domain/layout-order'
import type { OutboxEntry } from './outbox-entry'
import type { CheckpointRow, WidgetRow } from './rows'

/** temp id → server id, as the table `ids` holds it. */
export type KnownIds = ReadonlyMap<string, string>

/** The id a thing goes by now: "the same widget" always means the same id after this. */
export const canonical = <T extends string>(known: KnownIds, id: T): T => (known.get(id) ?? id) as T

export interface OptimisticCheckpoint extends Checkpoint {
  /** The server has not yet answered its create. */
  readonly pending: boolean
}

export interface OptimisticRule extends Rule {
  /** The server has not yet answered its create. */
  readonly pending: boolean
}

/** A widget as the server last sent it, with the user's unanswered mutations applied. */
export interface OptimisticWidget extends Omit<Widget, 'checkpoints' | 'rules'> {
  readonly rules: readonly OptimisticRule[]
  readonly checkpoints: readonly OptimisticCheckpoint[]
  readonly pending: boolean
  /** Number of live entries that change this widget. */
  readonly waiting: number
  /** Number of those that are held. */
  readonly held: number
}

/** The value that a mutation's `applyTo` changes. */
export interface Board {
  /** In the order of the screen. */
  readonly widgets: readonly OptimisticWidget[]
  /** How many of the first widgets the server makes active when their order or number changes. */
  readonly slots: number
  /** The id that a thing goes by now: temporary ids lead to the server's, once known. */
  readonly resolve: (id: string) => string
}

export const fromRow = (row: Widget): OptimisticWidget => ({
  ...row,
  checkpoints: row.checkpoints.map((checkpoint) => ({ ...checkpoint, pending: false })),
  rules: (row.rules ?? []).map((rule) => ({ ...rule, pending: false })),
  pending: false,
  waiting: 0,
  held: 0,
})

/** The same board with these widgets, arranged as the server arranges what is reordered or stays after a removal. */
export const withWidgets = (board: Board, widgets: readonly OptimisticWidget[]): Board => ({
  ...board,
  widgets: widgets.map((widget, index) => ({
    ...widget,
    display_order: index,
    is_active: isActiveAt(index, board.slots),
  })),
})

type Pair = Pick<Widget, 'coin_a_id' | 'coin_b_id'>

export const isSamePair = (a: Pair, b: Pair): boolean => a.coin_a_id === b.coin_a_id && a.coin_b_id === b.coin_b_id

export const findOptimistic = (board: Board, id: WidgetId): OptimisticWidget | undefined => {
  const real = board.resolve(id)
  return board.widgets.find((widget) => widget.id === real)
}

/** The same board with one widget changed; without it, nothing happens. */
export const changeWidget = (
  board: Board,
  id: WidgetId,
  change: (widget: OptimisticWidget) => OptimisticWidget,
): Board => {
  const real = board.resolve(id)
  return { ...board, widgets: board.widgets.map((widget) => (widget.id === real ? change(widget) : widget)) }
}

/** The checkpoint of a create, as it shows until the server has answered. */
export const optimisticCheckpoint = (
  board: Board,
  widget: WidgetId,
  {
    op_id,
    created_at,
    payload: { checkpoint, body },
  }: OutboxEntry<'checkpoint.create@1' | 'checkpoint.anonymous-create@1'>,
): OptimisticCheckpoint => ({
  id: board.resolve(checkpoint) as OptimisticCheckpoint['id'],
  widget_id: widget,
  ratio: body.ratio,
  ...(body.prices !== undefined && { prices: body.prices }),
  timestamp: body.timestamp,
  is_default: body.is_default ?? true,
  display_order: 0,
  created_at: new Date(created_at).toISOString(),
  user_id: null,
  created_by_op: op_id,
  pending: true,
})

export const without = <T extends object, K extends keyof T>(record: T, key: K): Omit<T, K> => {
  const copy = { ...record }
  delete copy[key]
  return copy
}

const inOrder = <T extends { readonly display_order: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => a.display_order - b.display_order)

interface StoredWidgets {
  readonly widgets: readonly WidgetRow[]
  readonly checkpoints: readonly CheckpointRow[]
}

/** An owner's rows as the API gives them: in order, each widget with its checkpoints. */
export function widgetsOf(owner: OwnerId, { widgets, checkpoints }: StoredWidgets): Widget[] {
  const rows = inOrder(widgets.filter((row) => row.owner === owner))
  const byWidget = new Map<WidgetId, Checkpoint[]>(rows.map((row) => [row.id, []]))
  for (const row of inOrder(checkpoints)) byWidget.get(row.widget_id)?.push(without(row, 'owner'))
  return rows.map((row) => ({ ...without(row, 'owner'), checkpoints: byWidget.get(row.id) ?? [] }))
}
