import type { Checkpoint } from '../contract/checkpoint'
import type { Widget } from '../contract/widget'
import { isActiveAt } from '../domain/layout-order'
import type { WidgetId } from '../domain/ids'
import type { Entry } from './outbox-entry'

export interface LaidCheckpoint extends Checkpoint {
  /** The server has not yet answered its create. */
  readonly pending: boolean
}

/** A widget while outbox entries are laid over it: what the server said, as changed by what the user did since. */
export interface LaidWidget extends Omit<Widget, 'checkpoints'> {
  readonly checkpoints: readonly LaidCheckpoint[]
  readonly pending: boolean
  /** Live entries that change this widget. */
  readonly waiting: number
}

/** What a kind's rule works on; values in, values out. */
export interface Board {
  /** In the order of the screen. */
  readonly widgets: readonly LaidWidget[]
  /** How many of the first widgets the server makes active when their order or number changes. */
  readonly slots: number
  /** The id that a thing goes by now: temporary ids lead to the server's, once known. */
  readonly resolve: (id: string) => string
}

export const fromRow = (row: Widget): LaidWidget => ({
  ...row,
  checkpoints: row.checkpoints.map((checkpoint) => ({ ...checkpoint, pending: false })),
  pending: false,
  waiting: 0,
})

/** The same board with these widgets, arranged as the server arranges what is reordered or stays after a removal. */
export const withWidgets = (board: Board, widgets: readonly LaidWidget[]): Board => ({
  ...board,
  widgets: widgets.map((widget, index) => ({
    ...widget,
    display_order: index,
    is_active: isActiveAt(index, board.slots),
  })),
})

export const findLaid = (board: Board, id: WidgetId): LaidWidget | undefined => {
  const real = board.resolve(id)
  return board.widgets.find((widget) => widget.id === real)
}

/** The same board with one widget changed; without it, nothing happens. */
export const changeWidget = (board: Board, id: WidgetId, change: (widget: LaidWidget) => LaidWidget): Board => {
  const real = board.resolve(id)
  return { ...board, widgets: board.widgets.map((widget) => (widget.id === real ? change(widget) : widget)) }
}

/** The checkpoint that an entry will have made, as it is shown until the server has. */
export const laidCheckpoint = (
  board: Board,
  widget: WidgetId,
  { op_id, created_at, payload: { checkpoint, body } }: Entry<'checkpoint.create@1' | 'checkpoint.anonymous-create@1'>,
): LaidCheckpoint => ({
  id: board.resolve(checkpoint) as LaidCheckpoint['id'],
  widget_id: widget,
  ratio: body.ratio,
  timestamp: body.timestamp,
  is_default: body.is_default ?? true,
  display_order: 0,
  created_at: new Date(created_at).toISOString(),
  user_id: null,
  created_by_op: op_id,
  pending: true,
})
