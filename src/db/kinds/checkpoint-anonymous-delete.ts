import { replaceCheckpointRows } from '../answers/widget-rows'
import { changeWidget } from '../board'
import { canonical } from '../ids'
import type { KindRules } from './kind'

export const checkpointAnonymousDelete: KindRules<'checkpoint.anonymous-delete@1'> = {
  lane: 'change',
  widget: ({ widget }) => widget,
  makes: () => null,
  subjects: ({ widget, checkpoint }) => [widget, checkpoint],
  mentions: () => [],
  without: (payload) => payload,
  absorb: (earlier) => earlier,

  lay: (board, { payload }) => changeWidget(board, payload.widget, (widget) => ({ ...widget, checkpoints: [] })),

  request: ({ widget }, ids) => ({
    route: 'deleteAnonymousCheckpoint',
    params: { id: canonical(ids, widget) },
    body: undefined,
  }),

  async apply({ db, ids, rows }, entry) {
    if (rows) await replaceCheckpointRows(db, entry.owner, canonical(ids, entry.payload.widget), [])
  },

  title: (label) => `Delete the checkpoint of ${label}`,
  refusal: (_label, error) => `Failed to delete default checkpoint: ${error.message}`,
  doneWhen: ['NOT_FOUND'],
  doneNote: null,
}
