import { useEffect, useState } from 'react'
import type { BoardView } from '../../db/view'
import { followLayout, IDLE, SAVED_ENDS } from './layout-save'

/** The layout's save state, followed from the board; success ends by itself. */
export function useLayoutSave(board: BoardView | undefined) {
  const [save, setSave] = useState(IDLE)
  const next = board === undefined ? IDLE : followLayout(save, board.layout, board.changes)
  if (next !== save) setSave(next)

  useEffect(() => {
    if (save.state !== 'success') return
    const timer = setTimeout(() => setSave(IDLE), SAVED_ENDS)
    return () => clearTimeout(timer)
  }, [save.state])
  return save
}
