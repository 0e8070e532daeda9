import { useSetAtom, useStore } from 'jotai'
import { useEffect, useState } from 'react'
import { type BoardView, findWidget } from '../db/view'
import type { WidgetId } from '../domain/ids'
import { PAIR_GONE, PAIR_INACTIVE } from '../domain/pair'
import { showToastAtom } from './toasts'
import { visibleBoardAtom } from './optimistic-patches'

/** Why nothing can be set on a pair any more, such as after its owner's tier has shrunk; null: it can. */
export function explainRemoval(board: BoardView, id: WidgetId): string | null {
  const widget = findWidget(board, id)
  if (widget === undefined) return PAIR_GONE
  return widget.isActive ? null : PAIR_INACTIVE
}

/**
 * Says why, where the pair goes from under what was open on it: whoever was typing would else see it vanish without a
 * word. Somebody else's board says nothing of this pair.
 */
export function useExplainRemoval(id: WidgetId): void {
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const [owner] = useState(() => store.get(visibleBoardAtom)?.owner)
  useEffect(
    () => () => {
      const board = store.get(visibleBoardAtom)
      const message = board === undefined || board.owner !== owner ? null : explainRemoval(board, id)
      if (message !== null) showToast({ kind: 'info', message })
    },
    [id, owner, showToast, store],
  )
}
