import { randomUUID } from 'node:crypto'
import type { Checkpoint } from '../../../src/contract/checkpoint'
import { SAVED_AT } from './person'
import type { Request, Saved, SavedWidget } from './kill-rounds'

export type SavedCheckpoint = Pick<Checkpoint, 'id' | 'ratio' | 'is_default'>

export const savedCheckpoint = ({ id, ratio, is_default }: Checkpoint): SavedCheckpoint => ({ id, ratio, is_default })

/** Most checkpoints that a user of these rounds has. */
const MAX_CHECKPOINTS = 4

/** A change of one widget's checkpoints, with what is saved after its answer. */
function about(
  target: SavedWidget,
  request: Pick<Request, 'method' | 'body'> & { readonly path: string },
  change: (list: readonly SavedCheckpoint[], answer: unknown) => readonly SavedCheckpoint[],
): Request {
  const result = (before: Saved, answer: unknown): Saved =>
    before.map((widget) =>
      widget.id === target.id ? { ...widget, checkpoints: change(widget.checkpoints, answer) } : widget,
    )
  return { ...request, path: `/widgets/${target.id}/checkpoints${request.path}`, op: randomUUID(), result }
}

const asAnswered = (_list: readonly SavedCheckpoint[], answer: unknown) => (answer as Checkpoint[]).map(savedCheckpoint)

export function guestsCheckpoint(target: SavedWidget, ratio: number): Request {
  const body = { ratio, timestamp: SAVED_AT }
  return about(target, { method: 'POST', path: '/anonymous', body }, (_, answer) => [
    savedCheckpoint(answer as Checkpoint),
  ])
}

/** One of the calls that only users have. */
export function usersCheckpoint(target: SavedWidget, ratio: number, random: () => number): Request {
  const list = target.checkpoints
  const one = list[Math.floor(random() * list.length)]
  const what = random()
  if (one === undefined || (what < 0.5 && list.length < MAX_CHECKPOINTS)) {
    const is_default = random() < 0.5
    return about(
      target,
      { method: 'POST', path: '', body: { ratio, timestamp: SAVED_AT, is_default } },
      (before, answer) => {
        const made = savedCheckpoint(answer as Checkpoint)
        return [...before.map((other) => (made.is_default ? { ...other, is_default: false } : other)), made]
      },
    )
  }
  if (what < 0.6) return about(target, { method: 'DELETE', path: `/${one.id}` }, asAnswered)
  if (what < 0.7) return about(target, { method: 'DELETE', path: '', body: { checkpoint_ids: [one.id] } }, asAnswered)
  if (what < 0.8) return about(target, { method: 'POST', path: `/${one.id}/set-default` }, asAnswered)
  if (what < 0.9) {
    const ordered_ids = list.map(({ id }) => id).toReversed()
    return about(target, { method: 'POST', path: '/reorder', body: { ordered_ids } }, asAnswered)
  }
  return about(target, { method: 'PUT', path: `/${one.id}`, body: { ratio, timestamp: SAVED_AT } }, (before) =>
    before.map((other) => (other.id === one.id ? { ...other, ratio } : other)),
  )
}
