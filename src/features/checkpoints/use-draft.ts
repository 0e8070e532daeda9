import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import type { CheckpointDraft } from '../../db/commands/checkpoint-draft'
import type { CheckpointView } from '../../db/view'
import type { CheckpointId } from '../../domain/ids'
import { editDraft, isTouched, layDraft, toCommit, UNTOUCHED, type Draft, type Edit, type Resolve } from './draft'

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
