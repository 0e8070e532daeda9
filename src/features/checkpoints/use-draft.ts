import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import {
  type CheckpointDraft,
  type Draft,
  type Edit,
  UNTOUCHED,
  isTouched,
  type Resolve,
  editDraft,
  applyDraft,
  toCommit,
} from '../../domain/checkpoint-draft'
import type { CheckpointView } from '../../db/view'
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
