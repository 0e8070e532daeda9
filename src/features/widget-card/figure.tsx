import { type Atom, atom, useAtomValue, useStore } from 'jotai'
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { classNames } from '../../ui/class-names'
import styles from './figure.module.css'
import type { WidgetView } from '../../db/view'
import { type AlertSide, type Armed, isBeyond, thresholdsOf } from '../../domain/alerts'
import { formatAge } from '../../domain/format-time'
import type { CoinId } from '../../domain/ids'
import {
  boardAtom,
  nowAtom,
  pairKey,
  pairRatioAtom,
  PRICES_STALE_AFTER,
  pricesAtom,
  summariesAtom,
} from '../../state/live-data'
import { armedNow, localEpochsAtom } from '../../state/local-epochs'
import type { PairIds, PairSummary } from '../../../workers/api'

type Mark = 'rose' | 'fell'

/** Milliseconds that a changed figure stays marked. */
const MARKED_FOR = 900

let marked: HTMLElement[] = []
let timer: ReturnType<typeof setTimeout> | null = null

function unmark(): void {
  for (const element of marked) delete element.dataset.mark
  marked = []
  timer = null
}

/**
 * Marks an element for a moment as `data-mark`. A poll changes hundreds of figures at once: one timer ends all their
 * marks, and none of them renders or animates for it.
 */
function mark(element: HTMLElement, as: Mark): void {
  element.dataset.mark = as
  marked.push(element)
  if (timer === null) timer = setTimeout(unmark, MARKED_FOR)
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
    return store.sub(source, () => {
      const before = shown
      shown = store.get(source)
      write(element, shown, before)
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

/** Atoms that a pair's figures follow; made once for a card, so that each is computed once. */
export interface PairFigures {
  readonly ratio: Atom<number | null>
  /** Undefined until the web worker has answered for the first time. */
  readonly summary: Atom<PairSummary | undefined>
  /** Fraction; null: not known, undefined: not yet computed. */
  readonly change24h: Atom<number | null | undefined>
  readonly trend: Atom<number | null | undefined>
}

function pairFigures(pair: PairIds): PairFigures {
  const key = pairKey(pair)
  const summary = atom((get) => get(summariesAtom).get(key))
  return {
    ratio: pairRatioAtom(pair.coinA, pair.coinB),
    summary,
    change24h: atom((get) => get(summary)?.change24h),
    trend: atom((get) => get(summary)?.trend),
  }
}

export const usePairFigures = (coinA: CoinId, coinB: CoinId): PairFigures =>
  useMemo(() => pairFigures({ coinA, coinB }), [coinA, coinB])

/** USD; null: not known. */
export const usePriceAtom = (coin: CoinId): Atom<number | null> =>
  useMemo(() => atom((get) => get(pricesAtom)?.prices[coin]?.usd ?? null), [coin])

/** Such as "12 min ago" once the older of the two prices is no longer fresh; null before. */
const staleAgeAtom = ({ coinA, coinB }: PairIds): Atom<string | null> =>
  atom((get) => {
    const prices = get(pricesAtom)?.prices
    const a = prices?.[coinA]?.provider_time ?? Infinity
    const b = prices?.[coinB]?.provider_time ?? Infinity
    const age = get(nowAtom) - Math.min(a, b)
    return Number.isFinite(age) && age > PRICES_STALE_AFTER ? formatAge(age) : null
  })

export const useStaleAge = (coinA: CoinId, coinB: CoinId): string | null =>
  useAtomValue(useMemo(() => staleAgeAtom({ coinA, coinB }), [coinA, coinB]))

// The same lists each time, so that who reads them renders only when a threshold is crossed.
const BEYOND: readonly (readonly AlertSide[])[] = [[], ['high'], ['low'], ['high', 'low']]

/** The sides whose thresholds the ratio is beyond. */
const beyondAtom = (widget: WidgetView, ratioAtom: Atom<number | null>): Atom<readonly AlertSide[]> => {
  const { high, low } = thresholdsOf(widget.alerts)
  return atom((get) => {
    const ratio = get(ratioAtom)
    if (ratio === null) return BEYOND[0]!
    const isHigh = high !== null && isBeyond('high', ratio, high)
    const isLow = low !== null && isBeyond('low', ratio, low)
    return BEYOND[(isHigh ? 1 : 0) + (isLow ? 2 : 0)]!
  })
}

/** The look of a ratio beyond a threshold. */
export const EXTREMES = {
  high: { tone: 'up', words: 'Above high' },
  low: { tone: 'down', words: 'Below low' },
} as const

/** Renders when the ratio crosses a threshold, not whenever it moves. */
export const useBeyond = (widget: WidgetView, { ratio }: PairFigures): readonly AlertSide[] =>
  useAtomValue(useMemo(() => beyondAtom(widget, ratio), [widget, ratio]))

/** As one value out of four, so that who reads it renders only when a side is armed or disarmed. */
const ARMED: readonly Armed[] = [false, true].flatMap((high) => [false, true].map((low) => ({ high, low })))

export const useArmed = (widget: WidgetView): Armed =>
  useAtomValue(
    useMemo(
      () =>
        atom((get): Armed => {
          const { high, low } = armedNow(get(localEpochsAtom), widget)
          return ARMED[(high ? 2 : 0) + (low ? 1 : 0)]!
        }),
      [widget],
    ),
  )

const accountKindAtom = atom((get) => get(boardAtom)?.account ?? 'guest')

export const useAccount = () => useAtomValue(accountKindAtom)
