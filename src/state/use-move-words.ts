import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { PairView } from '../db/view'
import { isLiveAt } from '../domain/ages'
import { moveWords } from '../domain/coin-moves'
import type { CoinPrices } from '../domain/coin-prices'
import { livePricesOf } from '../domain/live-prices'
import { nowAtom, pricesAtom } from './live-data'

/**
 * Which coin has moved since a checkpoint; null where its prices are not known, or where those of now are missing or not
 * live. Renders when the words change.
 */
export function useMoveWords(
  { coinA, coinB }: PairView,
  before: CoinPrices | null,
  inWords = moveWords,
): string | null {
  const words = useMemo(
    () =>
      atom((get): string | null => {
        const live = before && livePricesOf(get(pricesAtom), coinA.id, coinB.id)
        if (live === null || !isLiveAt(live.providerTime, get(nowAtom))) return null
        return inWords([coinA.symbol, coinB.symbol], before!, { a: live.priceA, b: live.priceB })
      }),
    [coinA, coinB, before, inWords],
  )
  return useAtomValue(words)
}
