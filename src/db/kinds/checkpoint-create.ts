import type { Checkpoint } from '../../contract/checkpoint'
import { withCheckpoint } from '../../domain/checkpoint-list'
import { readCheckpoints, replaceCheckpointRows } from '../answers/widget-rows'
import { changeWidget, findLaid, laidCheckpoint } from '../board'
import { canonical } from '../ids'
import { checkpointChange, saveDropped } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointCreate: KindRules<'checkpoint.create@1'> = {
  ...checkpointChange,
  makes: ({ checkpoint }) => checkpoint,

  lay(board, entry) {
    const { widget: id, checkpoint: temp } = entry.payload
    // Another answer or a pull brought it already: what is done to it is done to that row.
    const there = findLaid(board, id)?.checkpoints.find((one) => one.created_by_op === entry.op_id)
    if (there !== undefined) return { ...board, resolve: (one) => (one === temp ? there.id : board.resolve(one)) }
    return changeWidget(board, id, (widget) => ({
      ...widget,
      checkpoints: withCheckpoint(widget.checkpoints, laidCheckpoint(board, widget.id, entry)),
    }))
  },

  request: ({ widget, body }, ids) => ({ route: 'createCheckpoint', params: { id: canonical(ids, widget) }, body }),

  async apply({ db, ids, rows }, entry, answer) {
    const made = answer as Checkpoint
    await db.ids.put({ temp: entry.payload.checkpoint, real: made.id, owner: entry.owner })
    if (!rows) return
    const widget = canonical(ids, entry.payload.widget)
    const list = await readCheckpoints(db, widget)
    // What came in the meantime with the whole widget is not older than this answer.
    if (list.some((one) => one.id === made.id)) return
    await replaceCheckpointRows(db, entry.owner, widget, withCheckpoint(list, made))
  },

  title: (label) => `Save a checkpoint of ${label}`,
  doneNote: saveDropped,
}
