import { useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useEffect } from 'react'
import type { WidgetView } from '../../db/view'
import { cardOrderAtom } from '../../state/card-slot'
import { dashboardChoiceAtom } from '../../state/dashboard-choice'
import { useCalmOrder } from '../../state/use-calm-order'

interface CardOrderProps {
  /** The active pairs in their order by hand. */
  readonly widgets: readonly WidgetView[]
  /** The element that holds the cards: while the user is at it, no card moves. */
  readonly cards: RefObject<HTMLElement | null>
}

/** Keeps the cards in the order that the user has chosen. The order by hand stays as it is, and nothing is synced. */
export function CardOrder({ widgets, cards }: CardOrderProps) {
  const order = useAtomValue(dashboardChoiceAtom)?.order ?? 'hand'
  const setOrder = useSetAtom(cardOrderAtom)
  const keys = useCalmOrder(widgets, order, cards)
  useEffect(() => setOrder(keys), [setOrder, keys])
  useEffect(() => () => setOrder(null), [setOrder])
  return null
}
