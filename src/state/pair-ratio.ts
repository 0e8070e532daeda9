import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { CoinId } from '../domain/ids'
import { ratioOf } from '../domain/ratio'
import { pricesAtom } from './live-data'

/** Price A / price B of the newest poll; null while either is missing or B is 0. */
export const pairRatioAtom = (coinA: CoinId, coinB: CoinId) =>
  atom((get): number | null => {
    const prices = get(pricesAtom)?.prices
    return ratioOf(prices?.[coinA]?.usd, prices?.[coinB]?.usd)
  })

/** The pair's current ratio; renders when it changes. */
export const usePairRatio = (coinA: CoinId, coinB: CoinId): number | null =>
  useAtomValue(useMemo(() => pairRatioAtom(coinA, coinB), [coinA, coinB]))
