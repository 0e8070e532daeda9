import { atom, useAtomValue, type Atom } from 'jotai'
import { useMemo } from 'react'
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
