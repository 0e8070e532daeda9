import type { Widget } from '../../contract/widget'
import { isActiveAt } from '../../domain/layout-order'
import { mapId } from '../answers/map-id'
import { putWidgetRow } from '../answers/widget-rows'
import type { LaidWidget } from '../board'
import type { KindRules } from './kind'

const LIMIT_REACHED = "You've reached the maximum number of widgets for your tier. Please upgrade to add more."

export const widgetCreate: KindRules<'widget.create@1'> = {
  lane: 'create',
  widget: ({ widget }) => widget,
  makes: ({ widget }) => widget,
  subjects: () => [],
  mentions: () => [],
  without: (payload) => payload,
  absorb: () => null,

  lay(board, entry) {
    const { body, widget: temp } = entry.payload
    // The server made it and a pull brought it already, or another device made the same pair: one pair is never shown twice.
    const there = board.widgets.find(
      (widget) =>
        widget.created_by_op === entry.op_id ||
        (widget.coin_a_id === body.coin_a_id && widget.coin_b_id === body.coin_b_id),
    )
    if (there !== undefined) {
      return { ...board, resolve: (id) => (id === temp ? there.id : board.resolve(id)) }
    }
    const made: LaidWidget = {
      id: board.resolve(temp) as LaidWidget['id'],
      display_order: board.widgets.length,
      coin_a_id: body.coin_a_id,
      coin_b_id: body.coin_b_id,
      high_threshold: body.high_threshold ?? null,
      low_threshold: body.low_threshold ?? null,
      notifications_enabled: body.notifications_enabled ?? false,
      high_threshold_active: true,
      low_threshold_active: true,
      high_epoch: 0,
      low_epoch: 0,
      is_active: isActiveAt(board.widgets.length, board.slots),
      created_at: new Date(entry.created_at).toISOString(),
      created_by_op: entry.op_id,
      checkpoints: [],
      pending: true,
      waiting: 0,
    }
    return { ...board, widgets: [...board.widgets, made] }
  },

  request: ({ body }) => ({ route: 'createWidget', params: {}, body }),

  async apply({ db, rows }, entry, answer) {
    const widget = answer as Widget
    await mapId(db, entry.owner, entry.payload.widget, widget.id)
    if (rows) await putWidgetRow(db, entry.owner, widget, 'may-insert')
  },

  title: (label) => `Add ${label}`,
  refusal: ({ label }, error) =>
    error.error_code === 'WIDGET_LIMIT_REACHED' ? LIMIT_REACHED : `Failed to add ${label}: ${error.message}`,
  doneWhen: [],
  doneNote: (label) => `Pair ${label} was already removed from server.`,
}
