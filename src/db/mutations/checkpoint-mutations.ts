import type { Checkpoint } from '../../contract/checkpoint'
import { reorderedCheckpoints, withCheckpoint, withDefault, withoutCheckpoints } from '../../domain/checkpoint-list'
import {
  type Board,
  canonical,
  changeWidget,
  findOptimistic,
  type KnownIds,
  optimisticCheckpoint,
  without,
} from '../board'
import type { DurableRoute } from '../call'
import type { EntryError, OfCheckpoint, OfWidget, OutboxEntry } from '../outbox-entry'
import type { AnswerRows, MutationType, WireRequest } from './mutation-type'
import { toWidget, widgetMutation } from './widget-mutations'

const LIMIT_REACHED = "You've reached the maximum number of checkpoints for your tier. Please upgrade to add more."

type OfEntry<P extends OfWidget> = Pick<OutboxEntry, 'owner'> & { readonly payload: P }

/** Common to all mutations of a widget's checkpoints; each kind adds its own. */
const checkpointMutation = {
  ...widgetMutation,
  refusal: (
    { failure }: Pick<OutboxEntry, 'failure'>,
    { error_code, message }: Pick<EntryError, 'error_code' | 'message'>,
  ) =>
    error_code === 'CHECKPOINT_LIMIT_REACHED' ? LIMIT_REACHED : `${failure ?? 'Failed to save checkpoint'}: ${message}`,
}

const createMutation = {
  ...checkpointMutation,
  createsId: ({ checkpoint }: OfCheckpoint) => checkpoint,
  title: (label: string) => `Save a checkpoint of ${label}`,
  /** The user reads this when a save ends because another device has removed the pair, or the checkpoint itself. */
  doneNote: (label: string) =>
    `The checkpoint of ${label} was not saved: it or its pair was already removed from server.`,
}

/** Of mutations of one checkpoint that is there. */
const changeMutation = {
  ...checkpointMutation,
  requires: ({ widget, checkpoint }: OfCheckpoint): readonly string[] => [widget, checkpoint],
}

const toCheckpoint = (
  route: DurableRoute,
  { widget, checkpoint }: OfCheckpoint,
  ids: KnownIds,
  body?: unknown,
): WireRequest => ({
  route,
  params: { id: canonical(ids, widget), checkpoint_id: canonical(ids, checkpoint) },
  body,
})

/** A list after the change; `resolve` translates the ids in `payload`. */
type ListChange<P> = <T extends Checkpoint>(list: readonly T[], payload: P, resolve: Board['resolve']) => readonly T[]

/**
 * `applyTo` and `answerRows` of a mutation that changes a widget's list. The server answers with its list; where it has
 * none to give (the deleted thing was gone already), the rows are stored as the change leaves them.
 */
const asListChange = <P extends OfWidget>(change: ListChange<P>) => ({
  applyTo: (board: Board, { payload }: OfEntry<P>): Board =>
    changeWidget(board, payload.widget, (widget) => ({
      ...widget,
      checkpoints: change(widget.checkpoints, payload, board.resolve),
    })),

  answerRows: (payload: P, answer: unknown, ids: KnownIds): AnswerRows => ({
    list: (before) => (answer as readonly Checkpoint[] | null) ?? change(before, payload, (id) => canonical(ids, id)),
  }),
})

/** A guest has one checkpoint a widget; saving it again replaces it. */
export const checkpointAnonymousCreate: MutationType<'checkpoint.anonymous-create@1'> = {
  ...createMutation,
  request: (payload, ids) => toWidget('createAnonymousCheckpoint', payload, ids, payload.body),

  applyTo: (board, entry) =>
    changeWidget(board, entry.payload.widget, (widget) =>
      widget.checkpoints.some((checkpoint) => checkpoint.created_by_op === entry.op_id)
        ? widget
        : { ...widget, checkpoints: [optimisticCheckpoint(board, widget.id, entry)] },
    ),

  answerRows: (_payload, answer) => ({ map: (answer as Checkpoint).id, list: () => [answer as Checkpoint] }),
}

export const checkpointAnonymousDelete: MutationType<'checkpoint.anonymous-delete@1'> = {
  ...changeMutation,
  ...asListChange(() => []),
  request: (payload, ids) => toWidget('deleteAnonymousCheckpoint', payload, ids),
  title: (label) => `Delete the checkpoint of ${label}`,
  doneWhen: ['NOT_FOUND'],
}

export const checkpointCreate: MutationType<'checkpoint.create@1'> = {
  ...createMutation,
  request: (payload, ids) => toWidget('createCheckpoint', payload, ids, payload.body),

  applyTo(board, entry) {
    const { widget: id, checkpoint: temp } = entry.payload
    // Another answer or a pull brought it already: what is done to it is done to that row.
    const there = findOptimistic(board, id)?.checkpoints.find((one) => one.created_by_op === entry.op_id)
    if (there !== undefined) return { ...board, resolve: (one) => (one === temp ? there.id : board.resolve(one)) }
    return changeWidget(board, id, (widget) => ({
      ...widget,
      checkpoints: withCheckpoint(widget.checkpoints, optimisticCheckpoint(board, widget.id, entry)),
    }))
  },

  answerRows(_payload, answer) {
    const made = answer as Checkpoint
    // A list that came meanwhile with the whole widget is not older than this answer.
    return {
      map: made.id,
      list: (before) => (before.some(({ id }) => id === made.id) ? before : withCheckpoint(before, made)),
    }
  },
}

export const checkpointUpdate: MutationType<'checkpoint.update@1'> = {
  ...changeMutation,
  mergeWith: (earlier, later) => (earlier.checkpoint === later.checkpoint ? later : null),
  request: (payload, ids) => toCheckpoint('updateCheckpoint', payload, ids, payload.body),
  title: (label) => `Update the checkpoint of ${label}`,

  applyTo: (board, { payload }) =>
    changeWidget(board, payload.widget, (widget) => ({
      ...widget,
      checkpoints: widget.checkpoints.map((one) =>
        one.id === board.resolve(payload.checkpoint) ? { ...without(one, 'prices'), ...payload.body } : one,
      ),
    })),

  answerRows(_payload, answer) {
    if (answer === null) return {}
    const { id, ratio, prices, timestamp } = answer as Checkpoint
    const saved = { ratio, timestamp, ...(prices !== undefined && { prices }) }
    // A row that is gone here is not brought back.
    return { list: (before) => before.map((one) => (one.id === id ? { ...without(one, 'prices'), ...saved } : one)) }
  },
}

export const checkpointDelete: MutationType<'checkpoint.delete@1'> = {
  ...changeMutation,
  ...asListChange((list, { checkpoint }, resolve) => withoutCheckpoints(list, [resolve(checkpoint)])),
  request: (payload, ids) => toCheckpoint('deleteCheckpoint', payload, ids),
  title: (label) => `Delete the default checkpoint of ${label}`,
  doneWhen: ['NOT_FOUND'],
}

export const checkpointDeleteMany: MutationType<'checkpoint.delete-many@1'> = {
  ...checkpointMutation,
  ...asListChange((list, { checkpoint_ids }, resolve) => withoutCheckpoints(list, checkpoint_ids.map(resolve))),
  references: ({ checkpoint_ids }) => checkpoint_ids,
  withoutReference: (payload, id) => ({
    ...payload,
    checkpoint_ids: payload.checkpoint_ids.filter((one) => one !== id),
  }),
  request: (payload, ids) => {
    const checkpoint_ids = payload.checkpoint_ids.map((id) => canonical(ids, id))
    return toWidget('deleteCheckpoints', payload, ids, { checkpoint_ids })
  },
  title: (label) => `Delete checkpoints of ${label}`,
  doneWhen: ['NOT_FOUND'],
}

export const checkpointReorder: MutationType<'checkpoint.reorder@1'> = {
  ...checkpointMutation,
  ...asListChange((list, { ordered_ids }, resolve) => reorderedCheckpoints(list, ordered_ids.map(resolve))),
  references: ({ ordered_ids }) => ordered_ids,
  withoutReference: (payload, id) => ({ ...payload, ordered_ids: payload.ordered_ids.filter((one) => one !== id) }),
  request: (payload, ids) => {
    const ordered_ids = payload.ordered_ids.map((id) => canonical(ids, id))
    return toWidget('reorderCheckpoints', payload, ids, { ordered_ids })
  },
  title: (label) => `Reorder the checkpoints of ${label}`,
}

export const checkpointSetDefault: MutationType<'checkpoint.set-default@1'> = {
  ...changeMutation,
  ...asListChange((list, { checkpoint }, resolve) => withDefault(list, resolve(checkpoint))),
  request: (payload, ids) => toCheckpoint('setDefaultCheckpoint', payload, ids),
  title: (label) => `Set the default checkpoint of ${label}`,
}
