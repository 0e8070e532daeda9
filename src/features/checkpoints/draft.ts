import type { CheckpointDraft } from '../../db/commands/checkpoint-draft'
import type { CheckpointView } from '../../db/view'
import { reorderedCheckpoints, withDefault, withoutCheckpoints } from '../../domain/checkpoint-list'
import type { CheckpointId } from '../../domain/ids'

/**
 * What the user has changed in the popover, and nothing else. It is laid over the checkpoints as they are now, so what
 * another tab or device changes meanwhile shows through and is not undone by committing:
 *
 *     list as it is now ── deleted ── order ── default ──> what the popover shows
 */
export interface Draft {
  readonly deleted: readonly CheckpointId[]
  /** The wished order as last moved; null: never moved. */
  readonly order: readonly CheckpointId[] | null
  /** As last chosen; null: never chosen. */
  readonly defaultId: CheckpointId | null
}

export type Edit =
  /** `left`: those that the popover goes on showing, in order. */
  | { readonly kind: 'delete'; readonly id: CheckpointId; readonly left: readonly CheckpointId[] }
  | { readonly kind: 'order'; readonly ids: readonly CheckpointId[] }
  | { readonly kind: 'set-default'; readonly id: CheckpointId }

export const UNTOUCHED: Draft = { deleted: [], order: null, defaultId: null }

export const isTouched = ({ deleted, order, defaultId }: Draft): boolean =>
  deleted.length > 0 || order !== null || defaultId !== null

/** Leads from an id to the one it goes by now: a checkpoint may get the server's while the popover is open. */
export type Resolve = (id: CheckpointId) => CheckpointId

export function editDraft(draft: Draft, edit: Edit): Draft {
  switch (edit.kind) {
    case 'delete':
      return {
        ...draft,
        deleted: [...draft.deleted, edit.id],
        // The choice itself is deleted: the last one left takes its place, and not what was the default before it.
        defaultId: draft.defaultId === edit.id ? (edit.left.at(-1) ?? null) : draft.defaultId,
      }
    case 'order':
      return { ...draft, order: edit.ids }
    case 'set-default':
      return { ...draft, defaultId: edit.id }
  }
}

/** The checkpoints as they are now with the draft laid over them. */
export function layDraft(
  live: readonly CheckpointView[],
  draft: Draft,
  resolve: Resolve = (id) => id,
): readonly CheckpointView[] {
  const views = new Map(live.map((view) => [view.id as string, view]))
  const listed = live.map(({ id, isDefault }, index) => ({ id, is_default: isDefault, display_order: index }))
  // Ordered first, so that "the last one left" is the last of what is seen.
  const ordered = reorderedCheckpoints(listed, draft.order?.map(resolve) ?? [])
  const left = withoutCheckpoints(ordered, draft.deleted.map(resolve))
  const laid = draft.defaultId === null ? left : withDefault(left, resolve(draft.defaultId))
  return laid.map(({ id, is_default }) => {
    const view = views.get(id)!
    return view.isDefault === is_default ? view : { ...view, isDefault: is_default }
  })
}

/**
 * What a commit has to bring about. Where the user has deleted the default, the one that took its place on the screen
 * is named, since the server would take the last of the order it still has.
 */
export function toCommit(live: readonly CheckpointView[], draft: Draft, resolve: Resolve): CheckpointDraft {
  const deleted = draft.deleted.map(resolve)
  const lostDefault = live.some(({ id, isDefault }) => isDefault && deleted.includes(id))
  const shown = layDraft(live, draft, resolve)
  const named = draft.defaultId !== null || lostDefault
  return {
    deleted,
    order: draft.order?.map(resolve) ?? [],
    defaultId: named ? (shown.find(({ isDefault }) => isDefault)?.id ?? null) : null,
  }
}
