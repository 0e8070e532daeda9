import { type Atom, atom, useAtomValue, useStore } from 'jotai'
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import type { PairSummary } from '../../../workers/api'
import type { WidgetView } from '../../db/view'
import { ALERT_SIDES, isBeyond } from '../../domain/alerts'
import type { CoinId } from '../../domain/ids'
import { steadyAtom } from '../../state/keep-identity'
import { boardAtom, pairKey, pairRatioAtom, pricesAtom, summariesAtom } from '../../state/live-data'
import { classNames } from '../../ui/class-names'
import styles from './figure.module.css'
import { followInSight } from './in-sight'

/** Milliseconds that a changed figure stays marked, where no further prices come. */
const MARKED_FOR = 1_200

/** The figures that the newest prices have changed. */
let marked = new Set<HTMLElement>()
let isBatch = false
let timer: ReturnType<typeof setTimeout> | undefined
let isMarking = true

function unmark(elements: Iterable<HTMLElement>): void {
  for (const element of elements) delete element.dataset.mark
}

/** The marks of the prices before end in the frame that shows the new ones: a frame of their own would cost as much. */
function beginBatch(): void {
  const before = marked
  marked = new Set()
  isBatch = true
  queueMicrotask(() => {
    isBatch = false
    for (const element of marked) before.delete(element)
    unmark(before)
  })
  clearTimeout(timer)
  timer = setTimeout(() => {
    unmark(marked)
    marked.clear()
  }, MARKED_FOR)
}

/**
 * Marks an element for a moment as `data-mark`. Prices change hundreds of figures at once: one timer ends all their
 * marks, and none of them renders or animates for it.
 */
function mark(element: HTMLElement, as: 'rose' | 'fell'): void {
  if (!isMarking) return
  if (!isBatch) beginBatch()
  marked.add(element)
  if (element.dataset.mark !== as) element.dataset.mark = as
}

/** Writes without marks: a figure that comes into sight has not changed just then. */
function unmarked(write: () => void): void {
  isMarking = false
  write()
  isMarking = true
}

/**
 * Keeps an element at what an atom holds, by writing to the element itself: a poll changes hundreds of figures at once,
 * and rendering them would cost several times as much as changing them.
 * @param write is given the value before, undefined at first; must stay the same between renders
 */
export function useFollow<T, E extends Element>(
  source: Atom<T>,
  write: (element: E, value: T, before: T | undefined) => void,
): RefObject<E | null> {
  const store = useStore()
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    let shown = store.get(source)
    write(element, shown, undefined)
    const follow = () => {
      const before = shown
      shown = store.get(source)
      if (!Object.is(before, shown)) write(element, shown, before)
    }
    return followInSight(element, {
      update: () => unmarked(follow),
      subscribe: () => store.sub(source, follow),
    })
  }, [store, source, write])
  return ref
}

/** Writes a number into an element as it moves, without a mark; the element is hidden while the number is not known. */
export function useQuietFigure<E extends HTMLElement>(
  source: Atom<number | null>,
  format: (value: number | null) => string,
): RefObject<E | null> {
  const write = useCallback(
    (element: E, value: number | null) => {
      const holder = element.parentElement
      if (holder !== null) holder.hidden = value === null
      element.textContent = value === null ? '' : format(value)
    },
    [format],
  )
  return useFollow<number | null, E>(source, write)
}

interface FigureProps {
  readonly source: Atom<number | null>
  readonly format: (value: number | null) => string
  readonly className?: string | undefined
  readonly id?: string | undefined
}

/** A number that is marked for a moment when what it shows has changed. The mark takes no room. */
export function Figure({ source, format, className, id }: FigureProps) {
  const write = useCallback(
    (element: HTMLSpanElement, value: number | null, before: number | null | undefined) => {
      const text = format(value)
      const node = element.firstChild
      if (node?.nodeValue === text) return
      if (node === null) element.append(text)
      else node.nodeValue = text
      // A number that appears or disappears is no change.
      if (before != null && value !== null) mark(element, value > before ? 'rose' : 'fell')
    },
    [format],
  )
  const ref = useFollow(source, write)
  return <span ref={ref} id={id} className={classNames(styles.figure, className)} />
}

export type PairFigures = ReturnType<typeof usePairFigures>

/** Atoms that a pair's figures follow; one set a card, so that each value is computed once. */
export const usePairFigures = (coinA: CoinId, coinB: CoinId) =>
  useMemo(() => {
    const key = pairKey({ coinA, coinB })
    /** Undefined until the web worker has answered for the first time. */
    const summary: Atom<PairSummary | undefined> = atom((get) => get(summariesAtom).get(key))
    return {
      ratio: pairRatioAtom(coinA, coinB),
      summary,
      /** Fraction; null: not known, undefined: not yet computed. */
      change24h: atom((get) => get(summary)?.change24h),
      trend: atom((get) => get(summary)?.trend),
    }
  }, [coinA, coinB])

/** USD; null: not known. */
export const usePriceAtom = (coin: CoinId): Atom<number | null> =>
  useMemo(() => atom((get) => get(pricesAtom)?.prices[coin]?.usd ?? null), [coin])

/** The sides whose thresholds the ratio is beyond. Renders when the ratio crosses one, not whenever it moves. */
export function useBeyond({ alerts }: WidgetView, { ratio: ratioAtom }: PairFigures) {
  const beyondAtom = useMemo(
    () =>
      steadyAtom((get) => {
        const ratio = get(ratioAtom)
        return ALERT_SIDES.filter((side) => {
          const { threshold } = alerts[side]
          return ratio !== null && threshold !== null && isBeyond(side, ratio, threshold)
        })
      }),
    [alerts, ratioAtom],
  )
  return useAtomValue(beyondAtom)
}

const accountKindAtom = atom((get) => get(boardAtom)?.account ?? 'guest')

export const useAccount = () => useAtomValue(accountKindAtom)
