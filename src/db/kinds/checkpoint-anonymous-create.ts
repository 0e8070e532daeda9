import type { Checkpoint } from '../../contract/checkpoint'
import { replaceCheckpointRows } from '../answers/widget-rows'
import { changeWidget, laidCheckpoint } from '../board'
import { canonical } from '../ids'
import { checkpointChange, saveDropped } from './checkpoint-change'
import type { KindRules } from './kind'

/** A guest has one checkpoint a widget; saving it again replaces it. */
export const checkpointAnonymousCreate: KindRules<'checkpoint.anonymous-create@1'> = {
  ...checkpointChange,
  makes: ({ checkpoint }) => checkpoint,

  lay: (board, entry) =>
    changeWidget(board, entry.payload.widget, (widget) =>
      widget.checkpoints.some((checkpoint) => checkpoint.created_by_op === entry.op_id)
        ? widget
        : { ...widget, checkpoints: [laidCheckpoint(board, widget.id, entry)] },
    ),

  request: ({ widget, body }, ids) => ({
    route: 'createAnonymousCheckpoint',
    params: { id: canonical(ids, widget) },
    body,
  }),

  async apply({ db, ids, rows }, entry, answer) {
    const checkpoint = answer as Checkpoint
    await db.ids.put({ temp: entry.payload.checkpoint, real: checkpoint.id, owner: entry.owner })
    if (rows) await replaceCheckpointRows(db, entry.owner, canonical(ids, entry.payload.widget), [checkpoint])
  },

  title: (label) => `Save a checkpoint of ${label}`,
  doneNote: saveDropped,
}
