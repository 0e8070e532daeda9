import { useEffect, useState } from 'react'
import type { BoardView, ChangeView, LayoutState } from '../../db/view'
import styles from './layout-save-status.module.css'

/** Whether the order of the cards has reached the server; screen readers hear each change. Keeps its space while empty. */
export function LayoutSaveStatus({ board }: { readonly board: BoardView | undefined }) {
  const [save, setSave] = useState(IDLE)
  const next = board === undefined ? IDLE : followLayout(save, board.layout, board.changes)
  if (next !== save) setSave(next)
  const { state } = save
  useEffect(() => {
    if (state !== 'success') return
    const timer = setTimeout(() => setSave(IDLE), SAVED_ENDS)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <span role="status" className={styles.status} data-state={state} style={{ animationDelay: `${SAVED_SHOWN}ms` }}>
      {LAYOUT_SAVE_TEXT[state]}
    </span>
  )
}

/**
 * State of the layout's indicator. Only a save that was under way can succeed: a discarded change leads from `dirty` to
 * `idle` without the word "Saved".
 */
type LayoutSave =
  | { readonly state: 'idle' | 'dirty' | 'success' }
  /** `refused`: the changes that had failed before this one was sent. */
  | { readonly state: 'saving'; readonly refused: ReadonlySet<string> }

/** Milliseconds that "Saved" stands, and after which the state is idle again. */
const SAVED_SHOWN = 2_000
const SAVED_ENDS = 2_100

export const IDLE: LayoutSave = { state: 'idle' }

const failedIds = (changes: readonly ChangeView[]): ReadonlySet<string> =>
  new Set(changes.filter((change) => change.state === 'failed').map((change) => change.opId))

/** The next state once the board says `layout`; returns `current` itself where nothing changes. */
export function followLayout(current: LayoutSave, layout: LayoutState, changes: readonly ChangeView[]): LayoutSave {
  switch (layout) {
    case 'dirty':
      return current.state === 'dirty' ? current : { state: 'dirty' }
    case 'saving':
      return current.state === 'saving' ? current : { state: 'saving', refused: failedIds(changes) }
    case 'idle':
      if (current.state === 'success') return current
      if (current.state === 'saving') {
        const { refused } = current
        const refusedNow = [...failedIds(changes)].some((opId) => !refused.has(opId))
        return refusedNow ? IDLE : { state: 'success' }
      }
      return current.state === 'idle' ? current : IDLE
  }
}

/** Text on the screen; empty while there is nothing to say. */
export const LAYOUT_SAVE_TEXT: Readonly<Record<LayoutSave['state'], string>> = {
  idle: '',
  dirty: 'Unsaved changes',
  saving: 'Saving…',
  success: 'Saved',
}
