import { reorderedCheckpoints, withDefault, withoutCheckpoints } from './checkpoint-list'
import type { CheckpointId } from './ids'

/**
 * Edits of the user in the dialog, and nothing else. They apply to the stored checkpoints, so a change from another tab or
 * device shows meanwhile, and committing does not undo it:
 *
 *     stored list ── deleted ── order ── default ──> list in the dialog
 */
export interface Draft {
  readonly deleted: readonly CheckpointId[]
  /** Null: never moved. */
  readonly order: readonly CheckpointId[] | null
  /** Null: never chosen. */
  readonly defaultId: CheckpointId | null
}

export type Edit =
  /** `left`: the checkpoints that the dialog still shows, in order. */
  | { readonly kind: 'delete'; readonly id: CheckpointId; readonly left: readonly CheckpointId[] }
  | { readonly kind: 'order'; readonly ids: readonly CheckpointId[] }
  | { readonly kind: 'set-default'; readonly id: CheckpointId }

export const UNTOUCHED: Draft = { deleted: [], order: null, defaultId: null }

export const isTouched = ({ deleted, order, defaultId }: Draft): boolean =>
  deleted.length > 0 || order !== null || defaultId !== null

/** From an id to the present one: a checkpoint may get the server's id while the dialog is open. */
export type Resolve = (id: CheckpointId) => CheckpointId

export function editDraft(draft: Draft, edit: Edit): Draft {
  switch (edit.kind) {
    case 'delete':
      return {
        ...draft,
        deleted: [...draft.deleted, edit.id],
        // After the chosen default, the last checkpoint left becomes the default, not the one before the choice.
        defaultId: draft.defaultId === edit.id ? (edit.left.at(-1) ?? null) : draft.defaultId,
      }
    case 'order':
      return { ...draft, order: edit.ids }
    case 'set-default':
      return { ...draft, defaultId: edit.id }
  }
}

interface ShownCheckpoint {
  readonly id: CheckpointId
  readonly isDefault: boolean
}

/** The stored checkpoints with the draft applied. */
export function applyDraft<C extends ShownCheckpoint>(
  live: readonly C[],
  draft: Draft,
  resolve: Resolve = (id) => id,
): readonly C[] {
  const views = new Map(live.map((view) => [view.id as string, view]))
  const listed = live.map(({ id, isDefault }, index) => ({ id, is_default: isDefault, display_order: index }))
  // Ordered first, so that "the last one left" is the last in the dialog.
  const ordered = reorderedCheckpoints(listed, draft.order?.map(resolve) ?? [])
  const left = withoutCheckpoints(ordered, draft.deleted.map(resolve))
  const edited = draft.defaultId === null ? left : withDefault(left, resolve(draft.defaultId))
  return edited.map(({ id, is_default }) => {
    const view = views.get(id)!
    return view.isDefault === is_default ? view : { ...view, isDefault: is_default }
  })
}

/** Target list of the popover; temporary ids and the server's are both understood. */
export interface CheckpointDraft {
  readonly deleted: readonly CheckpointId[]
  /** The new order of those that are left; empty: as it is shown. */
  readonly order: readonly CheckpointId[]
  /** Null: the one that is shown, or that takes its place where that is deleted. */
  readonly defaultId: CheckpointId | null
}

/**
 * Target of a commit. If the user has deleted the default, the target names the one that took its place on the screen: the
 * server would take the last of the order it still has.
 */
export function toCommit(live: readonly ShownCheckpoint[], draft: Draft, resolve: Resolve): CheckpointDraft {
  const deleted = draft.deleted.map(resolve)
  const lostDefault = live.some(({ id, isDefault }) => isDefault && deleted.includes(id))
  const shown = applyDraft(live, draft, resolve)
  const named = draft.defaultId !== null || lostDefault
  return {
    deleted,
    order: draft.order?.map(resolve) ?? [],
    defaultId: named ? (shown.find(({ isDefault }) => isDefault)?.id ?? null) : null,
  }
}
