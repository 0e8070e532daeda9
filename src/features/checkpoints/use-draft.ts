import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import type { CheckpointDraft } from '../../db/commands/checkpoint-lists'
import type { CheckpointView } from '../../db/view'
import { reorderedCheckpoints, withDefault, withoutCheckpoints } from '../../domain/checkpoint-list'
import type { CheckpointId } from '../../domain/ids'

interface DraftState {
  readonly draft: Draft
  /** The list to which the draft was committed: the draft stays until the local database shows its effect. */
  readonly committedTo: readonly CheckpointView[] | null
}
type DraftEvent =
  | Edit
  | { readonly kind: 'committed'; readonly to: readonly CheckpointView[] }
  | { readonly kind: 'refused' }

const reduceDraft = (state: DraftState, event: DraftEvent): DraftState => {
  switch (event.kind) {
    case 'committed':
      return { ...state, committedTo: event.to }
    case 'refused':
      return { ...state, committedTo: null }
    default:
      return { draft: editDraft(state.committedTo === null ? state.draft : UNTOUCHED, event), committedTo: null }
  }
}

interface DraftInput {
  readonly live: readonly CheckpointView[]
  readonly resolve: Resolve
  /** Stores a touched draft, and resolves to whether it did; a refused draft is given back. */
  readonly commit: (draft: CheckpointDraft) => Promise<boolean>
}

/**
 * The dialog's draft. The hook commits it when the dialog goes: closed, its address left, its pair or its premium gone; and
 * when the page is hidden, since a phone may end a hidden page.
 */
export function useDraft({ live, resolve, commit }: DraftInput) {
  const [state, dispatch] = useReducer(reduceDraft, { draft: UNTOUCHED, committedTo: null })
  const held = state.committedTo === null || state.committedTo === live
  const draft = held ? state.draft : UNTOUCHED
  const pending = state.committedTo === null && isTouched(state.draft)
  const shown = applyDraft(live, draft, resolve)

  const commitNow = () => {
    if (!pending) return
    dispatch({ kind: 'committed', to: live })
    void commit(toCommit(live, draft, resolve)).then((isStored) => isStored || dispatch({ kind: 'refused' }))
  }
  const latest = useRef(commitNow)
  useLayoutEffect(() => {
    latest.current = commitNow
  })
  useEffect(() => {
    const onHidden = () => {
      if (document.visibilityState === 'hidden') latest.current()
    }
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      latest.current()
    }
  }, [])

  return {
    shown,
    draft: toCommit(live, draft, resolve),
    remove: (id: CheckpointId) =>
      dispatch({ kind: 'delete', id, left: shown.flatMap((one) => (one.id === id ? [] : one.id)) }),
    reorder: (ids: readonly CheckpointId[]) => dispatch({ kind: 'order', ids }),
    setDefault: (id: CheckpointId) => dispatch({ kind: 'set-default', id }),
    /** Another command commits the draft along; `refused` gives it back. */
    committed: () => dispatch({ kind: 'committed', to: live }),
    refused: () => dispatch({ kind: 'refused' }),
  }
}

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
type Resolve = (id: CheckpointId) => CheckpointId

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

/** The stored checkpoints with the draft applied. */
export function applyDraft(
  live: readonly CheckpointView[],
  draft: Draft,
  resolve: Resolve = (id) => id,
): readonly CheckpointView[] {
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

/**
 * Target of a commit. If the user has deleted the default, the target names the one that took its place on the screen: the
 * server would take the last of the order it still has.
 */
export function toCommit(live: readonly CheckpointView[], draft: Draft, resolve: Resolve): CheckpointDraft {
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
