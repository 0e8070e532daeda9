import { atom, type Atom, useStore } from 'jotai'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { WidgetView } from '../db/view'
import { thresholdsOf } from '../domain/alerts'
import { pairTitle, ratioOf } from '../domain/pair'
import { holdOrder, orderPairs, type PairOrder } from '../domain/pair-order'
import { pairKey, pricesAtom, summariesAtom } from './live-data'

/** Milliseconds after the last touch or scroll that still count as a finger on the list. */
const HANDS_OFF_MS = 5_000

/** Matches the element with the focus ring, and the button of an open menu. */
const BUSY = ':focus-visible, [aria-expanded="true"]'

/**
 * Watches whether the user is at a list: a mouse is over it, the focus in it or a finger on it, and the page is visible.
 * @param onLeave called when the user may have left
 */
function watchUse(list: HTMLElement, onLeave: () => void) {
  const listeners = new AbortController()
  const { signal } = listeners
  let isHovered = false
  let touched: ReturnType<typeof setTimeout> | undefined

  const touch = () => {
    clearTimeout(touched)
    touched = setTimeout(() => {
      touched = undefined
      onLeave()
    }, HANDS_OFF_MS)
  }
  const leave = () => {
    isHovered = false
    onLeave()
  }
  list.addEventListener('mouseenter', () => (isHovered = true), { signal })
  list.addEventListener('mouseleave', leave, { signal })
  list.addEventListener('touchstart', touch, { signal, passive: true })
  // By the next task the focus has arrived at its target.
  list.addEventListener('focusout', () => setTimeout(onLeave), { signal })
  window.addEventListener('scroll', touch, { signal, passive: true })
  document.addEventListener('visibilitychange', onLeave, { signal })

  return {
    isUsed: () =>
      document.visibilityState === 'visible' &&
      (isHovered || touched !== undefined || list.querySelector(BUSY) !== null),
    end: () => {
      listeners.abort()
      clearTimeout(touched)
    },
  }
}

/** The keys of the pairs in the order of the present prices. */
const wantedOrderAtom = (widgets: readonly WidgetView[], order: PairOrder): Atom<readonly string[]> =>
  atom((get) => {
    const prices = get(pricesAtom)?.prices
    const summaries = get(summariesAtom)
    const facts = widgets.map((widget) => {
      const summary = summaries.get(pairKey({ coinA: widget.coinA.id, coinB: widget.coinB.id }))
      return {
        key: widget.key,
        name: pairTitle(widget),
        ratio: ratioOf(prices?.[widget.coinA.id]?.usd, prices?.[widget.coinB.id]?.usd),
        thresholds: thresholdsOf(widget.alerts),
        change24h: summary?.change24h ?? null,
        standing: summary?.standing ?? null,
      }
    })
    return orderPairs(facts, order)
  })

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

/**
 * The keys of the pairs in the chosen order; renders when they change. An order by prices changes only while the user is not
 * at the list: no row moves away under a mouse, a finger or the focus.
 */
export function useCalmOrder(
  widgets: readonly WidgetView[],
  order: PairOrder,
  list: RefObject<HTMLElement | null>,
): readonly string[] {
  const store = useStore()
  const use = useRef<ReturnType<typeof watchUse>>(null)
  const wanted = useMemo(() => wantedOrderAtom(widgets, order), [widgets, order])
  const [shown, setShown] = useState(() => ({ order, keys: store.get(wanted) }))

  const now = store.get(wanted)
  // An order that was just chosen shows at once, and the order by hand is the user's own.
  const isChosen = order === 'hand' || shown.order !== order
  const keys = isChosen ? now : holdOrder(shown.keys, now)
  if (!areSame(keys, shown.keys) || shown.order !== order) setShown({ order, keys })

  const adoptOrder = useEffectEvent(() => {
    if (use.current?.isUsed() === true) return
    const next = store.get(wanted)
    setShown((before) => (areSame(before.keys, next) ? before : { order, keys: next }))
  })
  useEffect(() => {
    if (list.current === null) return undefined
    const watched = watchUse(list.current, () => adoptOrder())
    use.current = watched
    return watched.end
  }, [list])
  useEffect(() => {
    adoptOrder()
    return store.sub(wanted, () => adoptOrder())
  }, [store, wanted])

  return shown.order === order && areSame(shown.keys, keys) ? shown.keys : keys
}
