import { changeBook } from '../answers/owner-book'
import { deleteWidgetRow, giveSlot } from '../answers/widget-rows'
import { withWidgets } from '../board'
import { canonical } from '../ids'
import type { KindRules } from './kind'
import { reason } from './reason'

export const widgetDelete: KindRules<'widget.delete@1'> = {
  lane: 'delete',
  widget: ({ widget }) => widget,
  makes: () => null,
  subjects: ({ widget }) => [widget],
  mentions: () => [],
  without: (payload) => payload,
  absorb: (earlier) => earlier,

  lay(board, { payload }) {
    const real = board.resolve(payload.widget)
    return withWidgets(
      board,
      board.widgets.filter((widget) => widget.id !== real),
    )
  },

  request: ({ widget }, ids) => ({ route: 'deleteWidget', params: { id: canonical(ids, widget) }, body: undefined }),

  async apply({ db, ids, rows }, entry) {
    if (!rows) return
    const id = canonical(ids, entry.payload.widget)
    const row = await db.widgets.get(id)
    await deleteWidgetRow(db, id)
    // The server has made the next one active; which one it was, the pull says.
    if (row?.is_active === true && (await giveSlot(db, entry.owner))) {
      await changeBook(db, entry.owner, { pull_wanted: true })
    }
  },

  title: (label) => `Remove ${label}`,
  refusal: ({ label }, error) => `Failed to remove ${label}: ${reason(error)}.`,
  doneWhen: ['NOT_FOUND'],
  doneNote: (label) => `Pair ${label} was already removed from server.`,
}
