import type { CheckpointView } from '../../db/view'
import { withoutCheckpoints } from '../../domain/checkpoint-list'

export const defaultOf = (list: readonly CheckpointView[]): CheckpointView | null =>
  list.find((one) => one.isDefault) ?? null

/** With this as the default checkpoint: what there was is brought up to date, else it is added. */
export function withDefaultSaved(
  list: readonly CheckpointView[],
  saved: Pick<CheckpointView, 'id' | 'ratio' | 'timestamp'>,
): CheckpointView[] {
  const present = defaultOf(list)
  if (present === null) return [...list, { ...saved, isDefault: true, isPending: true }]
  return list.map((one) => (one === present ? { ...saved, id: one.id, isDefault: true, isPending: true } : one))
}

/** Without the default checkpoint; another takes its place as the domain decides. */
export function withoutDefault(list: readonly CheckpointView[]): CheckpointView[] {
  const listed = list.map((one, index) => ({ id: one.id, is_default: one.isDefault, display_order: index, one }))
  const gone = listed.filter((entry) => entry.is_default).map((entry) => entry.id)
  return withoutCheckpoints(listed, gone).map(({ one, is_default }) => ({ ...one, isDefault: is_default }))
}
