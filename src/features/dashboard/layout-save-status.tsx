import type { BoardView } from '../../db/view'
import { LAYOUT_SAVE_TEXT, SAVED_SHOWN } from './layout-save'
import styles from './layout-save-status.module.css'
import { useLayoutSave } from './use-layout-save'

/** Whether the order of the cards has reached the server; read out as it changes. Keeps its room when silent. */
export function LayoutSaveStatus({ board }: { readonly board: BoardView | undefined }) {
  const { state } = useLayoutSave(board)
  return (
    <span role="status" className={styles.status} data-state={state} style={{ animationDelay: `${SAVED_SHOWN}ms` }}>
      {LAYOUT_SAVE_TEXT[state]}
    </span>
  )
}
