import { useSetAtom, useStore } from 'jotai'
import { useEffect, useState } from 'react'
import { type BoardView, findWidget } from '../db/view'
import type { WidgetId } from '../domain/ids'
import { PAIR_GONE, PAIR_INACTIVE } from '../domain/pair'
import { boardAtom } from './live-data'
import { showToastAtom } from './toasts'

/** Why nothing can be set on a pair any more, such as after its owner's tier has shrunk; null: it can. */
export function explainRemoval(board: BoardView, id: WidgetId): string | null {
  const widget = findWidget(board, id)
  if (widget === undefined) return PAIR_GONE
  return widget.isActive ? null : PAIR_INACTIVE
}

/**
 * Tells the user why a dialog closes whose pair was removed or became inactive. Another owner's board says nothing about
 * this pair.
 */
export function useExplainRemoval(id: WidgetId): void {
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const [owner] = useState(() => store.get(boardAtom)?.owner)
  useEffect(
    () => () => {
      const board = store.get(boardAtom)
      const message = board === undefined || board.owner !== owner ? null : explainRemoval(board, id)
      if (message !== null) showToast({ kind: 'info', message })
    },
    [id, owner, showToast, store],
  )
}
