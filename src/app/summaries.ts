import { atom } from 'jotai'
import type { PairIds, PairSummary } from '../../workers/api'
import { MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { keepFresh } from '../state/keep-fresh'
import { keepIdentity, steadyAtom } from '../state/keep-identity'
import { boardAtom, historyUpdatedAtom, pairKey, pricesAtom, summariesAtom } from '../state/live-data'
import type { Services, Store } from '../state/services'

/** The pairs that show figures: inactive cards hide theirs. */
const shownPairsAtom = atom((get): readonly PairIds[] => {
  const pairs = new Map<string, PairIds>()
  for (const { coinA, coinB, isActive } of get(boardAtom)?.widgets ?? []) {
    if (isActive) pairs.set(pairKey({ coinA: coinA.id, coinB: coinB.id }), { coinA: coinA.id, coinB: coinB.id })
  }
  return [...pairs.values()]
})

/** Changes with the shown pairs, the coins that have a price, and the stored history: summaries are wanted at once. */
const basisAtom = steadyAtom((get) => {
  const prices = get(pricesAtom)?.prices
  const hasPrice = (coin: CoinId) => prices?.[coin] !== undefined
  return [
    get(historyUpdatedAtom),
    ...get(shownPairsAtom).map((pair) => ({ ...pair, known: [hasPrice(pair.coinA), hasPrice(pair.coinB)] })),
  ]
})

/** Milliseconds after which the last 24 hours have moved on enough to be summarised anew at an unchanged price. */
const DAY_PRECISION = 5 * MINUTE

/** Changes with the prices of the shown pairs, and as their day moves on. */
const shownPricesAtom = steadyAtom((get) => {
  const prices = get(pricesAtom)?.prices
  const priceOf = (coin: CoinId) => {
    const price = prices?.[coin]
    return price && [price.usd, Math.floor(price.provider_time / DAY_PRECISION)]
  }
  return get(shownPairsAtom).map(({ coinA, coinB }) => [priceOf(coinA), priceOf(coinB)])
})

const unknownSummary = (pair: PairIds): PairSummary => ({
  coinA: pair.coinA,
  coinB: pair.coinB,
  change24h: null,
  trend: null,
  sparkTimes: new Float64Array(0),
  spark: new Float64Array(0),
  standing: null,
  closesAge: null,
})

/**
 * Keeps `summariesAtom` up to date from the web worker: another pair, newer history and newer daily closes are asked for at
 * once, other prices with a spacing. A failed request leaves the known summaries; a pair that never had one shows "n.a.".
 * Returns the function that ends it.
 */
export function keepSummaries(store: Store, services: Pick<Services, 'worker' | 'commands'>): () => void {
  /** An equal summary keeps its identity, so that its card does not render. */
  const show = (answers: readonly PairSummary[]) => {
    const known = store.get(summariesAtom)
    const shown = answers.map((one) => [pairKey(one), keepIdentity(known.get(pairKey(one)), one)] as const)
    store.set(summariesAtom, new Map([...known, ...shown]))
  }
  const ask = async (): Promise<void> => {
    const pairs = store.get(shownPairsAtom)
    if (pairs.length === 0) return
    try {
      show(await services.worker().summaries(pairs, services.commands.now()))
    } catch (error) {
      reportError(error)
      const known = store.get(summariesAtom)
      const missing = pairs.filter((pair) => !known.has(pairKey(pair)))
      if (missing.length > 0) show(missing.map(unknownSummary))
    }
  }
  return keepFresh(store, services.commands, { basis: basisAtom, prices: shownPricesAtom, ask })
}
