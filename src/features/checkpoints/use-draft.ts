import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import type { CheckpointDraft } from '../../db/commands/checkpoint-lists'
import type { CheckpointView } from '../../db/view'
import { reorderedCheckpoints, withDefault, withoutCheckpoints } from '../../domain/checkpoint-list'
import type { CheckpointId } from '../../domain/ids'

interface DraftState {
  readonly draft: Draft
  /** The list over which the draft was committed: it is held until the local database shows its effect. */
  readonly committedOver: readonly CheckpointView[] | null
}
type Step =
  Edit | { readonly kind: 'committed'; readonly over: readonly CheckpointView[] } | { readonly kind: 'refused' }

const step = (state: DraftState, next: Step): DraftState => {
  switch (next.kind) {
    case 'committed':
      return { ...state, committedOver: next.over }
    case 'refused':
      return { ...state, committedOver: null }
    default:
      return { draft: editDraft(state.committedOver === null ? state.draft : UNTOUCHED, next), committedOver: null }
  }
}

interface DraftInput {
  readonly live: readonly CheckpointView[]
  readonly resolve: Resolve
  /** Brings a touched draft home; called at most once for the same edits. */
  readonly commit: (draft: CheckpointDraft, shown: readonly CheckpointView[]) => void
}

/**
 * The popover's draft. It is committed when the popover goes, in whatever way: closed, its address left, its pair or its
 * premium gone. A page that is hidden may never come back (a phone ends it without a word), so that commits as well.
 */
export function useDraft({ live, resolve, commit }: DraftInput) {
  const [state, dispatch] = useReducer(step, { draft: UNTOUCHED, committedOver: null })
  const held = state.committedOver === null || state.committedOver === live
  const draft = held ? state.draft : UNTOUCHED
  const pending = state.committedOver === null && isTouched(state.draft)
  const shown = layDraft(live, draft, resolve)

  const commitNow = () => {
    if (!pending) return
    commit(toCommit(live, draft, resolve), shown)
    dispatch({ kind: 'committed', over: live })
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
    committed: () => dispatch({ kind: 'committed', over: live }),
    refused: () => dispatch({ kind: 'refused' }),
  }
}

/**
 * Edits of the user in the popover, and nothing else. It is laid over the checkpoints as they are now, so what
 * another tab or device changes meanwhile shows through and is not undone by committing:
 *
 *     list as it is now ── deleted ── order ── default ──> what the popover shows
 */
export interface Draft {
  readonly deleted: readonly CheckpointId[]
  /** The new order as last moved; null: never moved. */
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
type Resolve = (id: CheckpointId) => CheckpointId

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
 * Goal of a commit. If the user has deleted the default, the one that took its place on the screen
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
