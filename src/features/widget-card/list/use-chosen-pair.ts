import { atom, useAtom } from 'jotai'
import { useState } from 'react'
import { findWidget, type BoardView, type WidgetView } from '../../../db/view'
import type { WidgetId } from '../../../domain/ids'

/** The user has closed the chart beside the list; lasts until a pair is opened again. */
const paneClosedAtom = atom(false)

/**
 * The pair whose chart stands beside the list: the one of the address; without one, the pair that stood first when the
 * list came, unless the user has closed the chart.
 * @param named the pair of the address; null: it names none
 * @param rows in the order that is shown
 */
export function useChosenPair(
  board: Pick<BoardView, 'widgets' | 'ids'>,
  named: WidgetId | null,
  rows: readonly WidgetView[],
) {
  const [isClosed, setClosed] = useAtom(paneClosedAtom)
  const [first, setFirst] = useState(rows[0]?.id)
  const isThere = first !== undefined && findWidget(board, first) !== undefined
  const top = isThere ? first : rows[0]?.id
  if (top !== first) setFirst(top)
  const chosen = named ?? (isClosed ? null : (top ?? null))
  return { chosen, setClosed }
}
