import { atom, useAtomValue, type Atom } from 'jotai'
import { useMemo } from 'react'
import { formatAge } from '../../domain/format-time'
import type { CoinId } from '../../domain/ids'
import { ratioOf } from '../../domain/ratio'
import { nowAtom, pairKey, PRICES_STALE_AFTER, pricesAtom, summariesAtom } from '../../state/live-data'
import type { PairIds, PairSummary } from '../../../workers/api'

const priceAtom = (coin: CoinId): Atom<number | null> => atom((get) => get(pricesAtom)?.prices[coin]?.usd ?? null)

/** Price A / price B of the newest poll; null while either is missing or B is 0. */
const ratioAtom = ({ coinA, coinB }: PairIds): Atom<number | null> =>
  atom((get) => {
    const prices = get(pricesAtom)?.prices
    return ratioOf(prices?.[coinA]?.usd, prices?.[coinB]?.usd)
  })

/** Such as "12 min ago" once the older of the two prices is no longer fresh; null before. */
const staleAgeAtom = ({ coinA, coinB }: PairIds): Atom<string | null> =>
  atom((get) => {
    const prices = get(pricesAtom)?.prices
    const seen = [prices?.[coinA]?.seen_until, prices?.[coinB]?.seen_until].filter((at) => at !== undefined)
    const age = get(nowAtom) - Math.min(...seen)
    return Number.isFinite(age) && age > PRICES_STALE_AFTER ? formatAge(age) : null
  })

export const usePrice = (coin: CoinId): number | null => useAtomValue(useMemo(() => priceAtom(coin), [coin]))

export const useRatio = (coinA: CoinId, coinB: CoinId): number | null =>
  useAtomValue(useMemo(() => ratioAtom({ coinA, coinB }), [coinA, coinB]))

export const useStaleAge = (coinA: CoinId, coinB: CoinId): string | null =>
  useAtomValue(useMemo(() => staleAgeAtom({ coinA, coinB }), [coinA, coinB]))

/** Undefined until the web worker has answered for the first time. */
export const useSummary = (coinA: CoinId, coinB: CoinId): PairSummary | undefined =>
  useAtomValue(useMemo(() => atom((get) => get(summariesAtom).get(pairKey({ coinA, coinB }))), [coinA, coinB]))
