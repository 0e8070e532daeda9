import type { Checkpoint } from '../../contract/checkpoint'
import type { WidgetId } from '../../domain/ids'
import { readCheckpoints, replaceCheckpointRows } from '../answers/widget-rows'
import { changeWidget } from '../board'
import type { Board } from '../board'
import { canonical } from '../ids'
import type { Entry, EntryError } from '../outbox-entry'
import type { ApplyContext } from './kind'

const LIMIT_REACHED = "You've reached the maximum number of checkpoints for your tier. Please upgrade to add more."

/** The user reads this when a save ends because another device has removed the pair, or the checkpoint itself. */
export const saveDropped = (label: string): string =>
  `The checkpoint of ${label} was not saved: it or its pair was already removed from server.`

interface OfWidget {
  readonly widget: WidgetId
}
type OfEntry<P extends OfWidget> = Pick<Entry, 'owner'> & { readonly payload: P }

/** What all changes of a widget's checkpoints have in common; each kind says the rest itself. */
export const checkpointChange = {
  lane: 'change' as const,
  widget: ({ widget }: OfWidget) => widget,
  makes: () => null,
  subjects: ({ widget }: OfWidget): readonly string[] => [widget],
  mentions: () => [],
  without: <P>(payload: P): P => payload,
  absorb: () => null,
  refusal: (
    { failure }: Pick<Entry, 'failure'>,
    { error_code, message }: Pick<EntryError, 'error_code' | 'message'>,
  ) =>
    error_code === 'CHECKPOINT_LIMIT_REACHED' ? LIMIT_REACHED : `${failure ?? 'Failed to save checkpoint'}: ${message}`,
  doneWhen: [],
  doneNote: null,
}

/** A list after the change; the ids in `payload` go by `resolve`. */
type Change<P> = <T extends Checkpoint>(list: readonly T[], payload: P, resolve: Board['resolve']) => readonly T[]

/**
 * How a change is laid over a widget's checkpoints, and how its answer is written: the server's list, and where it has
 * none to give (what should go was gone already) the rows as the change leaves them.
 */
export const asListChange = <P extends OfWidget>(change: Change<P>) => ({
  lay: (board: Board, { payload }: OfEntry<P>): Board =>
    changeWidget(board, payload.widget, (widget) => ({
      ...widget,
      checkpoints: change(widget.checkpoints, payload, board.resolve),
    })),

  async apply({ db, ids, rows }: ApplyContext, { owner, payload }: OfEntry<P>, answer: unknown): Promise<void> {
    if (!rows) return
    const widget = canonical(ids, payload.widget)
    const list =
      (answer as readonly Checkpoint[] | null) ??
      change(await readCheckpoints(db, widget), payload, (id) => canonical(ids, id))
    await replaceCheckpointRows(db, owner, widget, list)
  },
})
