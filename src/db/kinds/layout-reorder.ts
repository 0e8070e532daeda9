import type { Widget } from '../../contract/widget'
import { reorder } from '../../domain/layout-order'
import { orderWidgetRows } from '../answers/widget-rows'
import { withWidgets } from '../board'
import { canonical } from '../ids'
import type { KindRules } from './kind'

const MIXED = 'Cannot mix active and inactive widgets. Reverting layout.'
const NOT_SAVED = 'Error: Could not save your new layout.'

export const layoutReorder: KindRules<'layout.reorder@1'> = {
  lane: 'reorder',
  widget: () => null,
  makes: () => null,
  subjects: () => [],
  mentions: ({ ordered_ids }) => ordered_ids,
  without: (payload, id) => ({ ...payload, ordered_ids: payload.ordered_ids.filter((one) => one !== id) }),
  // Replaced by a new entry instead: its debounce starts anew and it moves behind what was done in between.
  absorb: () => null,

  lay(board, { payload }) {
    const wished = reorder(
      board.widgets,
      payload.ordered_ids.map((id) => board.resolve(id)),
      payload.exchange,
    )
    if (!wished.ok) return board
    const byId = new Map(board.widgets.map((widget) => [widget.id as string, widget]))
    return withWidgets(
      board,
      wished.ids.flatMap((id) => byId.get(id) ?? []),
    )
  },

  request: ({ ordered_ids, exchange }, ids) => ({
    route: 'reorderWidgets',
    params: {},
    body: { ordered_ids: ordered_ids.map((id) => canonical(ids, id)), ...(exchange && { exchange }) },
  }),

  async apply({ db, rows }, entry, answer) {
    if (!rows || answer === null) return
    await orderWidgetRows(db, entry.owner, answer as readonly Widget[])
  },

  title: () => 'Save the new layout',
  refusal: (_entry, error) => (error.error_code === 'FORBIDDEN_REORDER_MIX' ? MIXED : NOT_SAVED),
  doneWhen: [],
  doneNote: null,
}
