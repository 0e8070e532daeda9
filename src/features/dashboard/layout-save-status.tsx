import { useEffect, useState } from 'react'
import type { BoardView } from '../../db/view'
import { type LayoutSave, IDLE, followLayout } from '../../domain/layout-save'
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

/** Milliseconds that "Saved" stands, and after which the state is idle again. */
const SAVED_SHOWN = 2_000
const SAVED_ENDS = 2_100

/** Text on the screen; empty while there is nothing to say. */
const LAYOUT_SAVE_TEXT: Readonly<Record<LayoutSave['state'], string>> = {
  idle: '',
  dirty: 'Unsaved changes',
  saving: 'Saving…',
  success: 'Saved',
}
