import type { Checkpoint } from '../../contract/checkpoint'
import { changeWidget } from '../board'
import { canonical } from '../ids'
import { checkpointChange } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointUpdate: KindRules<'checkpoint.update@1'> = {
  ...checkpointChange,
  subjects: ({ widget, checkpoint }) => [widget, checkpoint],
  absorb: (earlier, later) => (earlier.checkpoint === later.checkpoint ? later : null),

  lay: (board, { payload }) =>
    changeWidget(board, payload.widget, (widget) => ({
      ...widget,
      checkpoints: widget.checkpoints.map((one) =>
        one.id === board.resolve(payload.checkpoint) ? { ...one, ...payload.body } : one,
      ),
    })),

  request: ({ widget, checkpoint, body }, ids) => ({
    route: 'updateCheckpoint',
    params: { id: canonical(ids, widget), checkpoint_id: canonical(ids, checkpoint) },
    body,
  }),

  async apply({ db, rows }, _entry, answer) {
    // 204 marks a replay whose row is gone by now; a row that is gone here is not brought back.
    if (!rows || answer === null) return
    const { id, ratio, timestamp } = answer as Checkpoint
    await db.checkpoints.update(id, { ratio, timestamp })
  },

  title: (label) => `Update the checkpoint of ${label}`,
}
