import type { Checkpoint } from '../../contract/checkpoint'
import { replaceCheckpointRows } from '../answers/widget-rows'
import { changeWidget, type LaidCheckpoint } from '../board'
import { canonical } from '../ids'
import type { KindRules } from './kind'

const LIMIT_REACHED = "You've reached the maximum number of checkpoints for your tier. Please upgrade to add more."

/** A guest has one checkpoint a widget; saving it again replaces it. */
export const checkpointAnonymousCreate: KindRules<'checkpoint.anonymous-create@1'> = {
  lane: 'change',
  widget: ({ widget }) => widget,
  makes: ({ checkpoint }) => checkpoint,
  subjects: ({ widget }) => [widget],
  mentions: () => [],
  without: (payload) => payload,
  absorb: () => null,

  lay: (board, entry) =>
    changeWidget(board, entry.payload.widget, (widget) => {
      if (widget.checkpoints.some((checkpoint) => checkpoint.created_by_op === entry.op_id)) return widget
      const { checkpoint: temp, body } = entry.payload
      const made: LaidCheckpoint = {
        id: board.resolve(temp) as LaidCheckpoint['id'],
        widget_id: widget.id,
        ratio: body.ratio,
        timestamp: body.timestamp,
        is_default: true,
        display_order: 0,
        created_at: new Date(entry.created_at).toISOString(),
        user_id: null,
        created_by_op: entry.op_id,
        pending: true,
      }
      return { ...widget, checkpoints: [made] }
    }),

  request: ({ widget, body }, ids) => ({
    route: 'createAnonymousCheckpoint',
    params: { id: canonical(ids, widget) },
    body,
  }),

  async apply({ db, ids, rows }, entry, answer) {
    const checkpoint = answer as Checkpoint
    await db.ids.put({ temp: entry.payload.checkpoint, real: checkpoint.id })
    if (rows) await replaceCheckpointRows(db, entry.owner, canonical(ids, entry.payload.widget), [checkpoint])
  },

  title: (label) => `Save a checkpoint of ${label}`,
  refusal: (_label, error) =>
    error.error_code === 'CHECKPOINT_LIMIT_REACHED' ? LIMIT_REACHED : `Failed to save checkpoint: ${error.message}`,
  doneWhen: [],
  doneNote: null,
}
