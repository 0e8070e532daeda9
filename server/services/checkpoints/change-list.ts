import type { Checkpoint } from '../../../src/contract/checkpoint'
import { reorderedCheckpoints, withDefault, withoutCheckpoints } from '../../../src/domain/checkpoint-list'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { type ChangeRequest, changeOnce } from '../operations'
import { type CheckpointRow, checkpointAnswer, readWidget, requireWidget } from '../widgets/read'
import { readList, writeList } from './list'

/** A widget's checkpoints as another list of the same rows. */
type ListChange = (list: readonly CheckpointRow[]) => readonly CheckpointRow[]

/** @throws ApiError NOT_FOUND where the widget has no such checkpoint */
export const withoutOne =
  (id: string): ListChange =>
  (list) =>
    withoutCheckpoints(requiring(list, id), [id])

export const withoutMany =
  (ids: readonly string[]): ListChange =>
  (list) =>
    withoutCheckpoints(list, ids)

export const reordered =
  (ids: readonly string[]): ListChange =>
  (list) =>
    reorderedCheckpoints(list, ids)

/** @throws ApiError NOT_FOUND where the widget has no such checkpoint */
export const preferring =
  (id: string): ListChange =>
  (list) =>
    withDefault(requiring(list, id), id)

/**
 * Changes the list of a widget's checkpoints. The value is null when a repetition finds the widget gone.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function changeList(
  { database }: AppParts,
  request: ChangeRequest,
  widget: string,
  change: ListChange,
): Promise<{ readonly value: Checkpoint[] | null; readonly replayed: boolean }> {
  return changeOnce<Checkpoint[] | null>(database, request, {
    forEver: false,
    recall: async (tx, owner) => (await readWidget(tx, owner, { id: widget }))?.checkpoints ?? null,
    make: async (tx, owner) => {
      await requireWidget(tx, owner, widget)
      const before = await readList(tx, widget)
      const after = change(before)
      await writeList(tx, before, after)
      return after.map((row) => checkpointAnswer(row, owner))
    },
  })
}

function requiring(list: readonly CheckpointRow[], id: string): readonly CheckpointRow[] {
  if (!list.some((row) => row.id === id)) throw noSuchCheckpoint()
  return list
}

export const noSuchCheckpoint = (): ApiError => new ApiError('NOT_FOUND', 'The widget has no such checkpoint.')
