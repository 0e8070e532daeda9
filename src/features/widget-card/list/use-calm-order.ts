import { useStore } from 'jotai'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react'
import type { WidgetView } from '../../../db/view'
import { holdOrder, type PairOrder } from '../../../domain/pair-order'
import { wantedOrderAtom } from './wanted-order'
import { watchHands, type Hands } from './watch-hands'

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

/**
 * The keys of the pairs in the wanted order; renders when it changes. An order that prices decide changes only while
 * nobody is at the list: no row moves away under a mouse, a finger or the focus.
 */
export function useCalmOrder(
  widgets: readonly WidgetView[],
  order: PairOrder,
  list: RefObject<HTMLElement | null>,
): readonly string[] {
  const store = useStore()
  const hands = useRef<Hands>(null)
  const wanted = useMemo(() => wantedOrderAtom(widgets, order), [widgets, order])
  const [shown, setShown] = useState(() => ({ order, keys: store.get(wanted) }))

  const now = store.get(wanted)
  // An order that was just chosen shows at once, and the order by hand is the user's own.
  const isChosen = order === 'hand' || shown.order !== order
  const keys = isChosen ? now : holdOrder(shown.keys, now)
  if (!areSame(keys, shown.keys) || shown.order !== order) setShown({ order, keys })

  const settle = useEffectEvent(() => {
    if (hands.current?.areOn() === true) return
    const next = store.get(wanted)
    setShown((before) => (areSame(before.keys, next) ? before : { order, keys: next }))
  })
  useEffect(() => {
    if (list.current === null) return undefined
    const watched = watchHands(list.current, () => settle())
    hands.current = watched
    return watched.end
  }, [list])
  useEffect(() => {
    settle()
    return store.sub(wanted, () => settle())
  }, [store, wanted])

  return shown.order === order && areSame(shown.keys, keys) ? shown.keys : keys
}
