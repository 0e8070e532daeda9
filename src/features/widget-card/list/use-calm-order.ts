import { atom, type Atom, useStore } from 'jotai'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { WidgetView } from '../../../db/view'
import { thresholdsOf } from '../../../domain/alerts'
import { pairTitle, ratioOf } from '../../../domain/pair'
import { holdOrder, orderPairs, type PairOrder } from '../../../domain/pair-order'
import { pairKey, pricesAtom, summariesAtom } from '../../../state/live-data'
import type { WidgetId } from '../../../domain/ids'

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
    const facts = widgets.map((widget) => ({
      key: widget.key,
      name: pairTitle(widget),
      ratio: ratioOf(prices?.[widget.coinA.id]?.usd, prices?.[widget.coinB.id]?.usd),
      thresholds: thresholdsOf(widget.alerts),
      change24h: summaries.get(pairKey({ coinA: widget.coinA.id, coinB: widget.coinB.id }))?.change24h ?? null,
    }))
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

/** Milliseconds that a row takes to its new place. */
const GLIDE_MS = 200

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Lets the children of an element glide to their places when their order has changed; with reduced motion they jump. */
export function useGlide(body: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<Element, number>())
  useLayoutEffect(() => {
    const before = places.current
    const rows = [...(body.current?.children ?? [])].filter((row) => row instanceof HTMLElement)
    places.current = new Map(rows.map((row) => [row, row.offsetTop]))
    if (reducesMotion()) return
    for (const row of rows) {
      const shift = (before.get(row) ?? row.offsetTop) - row.offsetTop
      if (shift !== 0) row.animate?.({ translate: [`0 ${shift}px`, '0 0'] }, { duration: GLIDE_MS, easing: 'ease-out' })
    }
  })
}

/** Milliseconds that the focus must stay on a pair before its chart opens: a held key moves past the others. */
const REST_MS = 150

/** The user moves over the pairs by keys: the focus moves at once, the chart once it stays. @param shown the pair of the chart */
export function useWalk(
  body: RefObject<HTMLElement | null>,
  rows: readonly WidgetView[],
  shown: string | null,
  onArrive: (id: WidgetId) => void,
): (step: 1 | -1 | 'first') => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  return (step) => {
    const links = [...(body.current?.children ?? [])].map((row) => row.querySelector('a'))
    const focused = links.findIndex(
      (link) => link !== null && link.closest('[role="row"]')?.contains(document.activeElement),
    )
    const from = focused === -1 ? rows.findIndex(({ id }) => id === shown) : focused
    const to = step === 'first' ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))
    const target = rows[to]
    if (target === undefined) return
    links[to]?.focus({ preventScroll: true })
    links[to]?.closest('[role="row"]')?.scrollIntoView({ block: 'nearest' })
    clearTimeout(timer.current)
    if (target.id !== shown) timer.current = setTimeout(() => onArrive(target.id), REST_MS)
  }
}
