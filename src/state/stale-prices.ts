import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { WidgetView } from '../db/view'
import { formatAge } from '../domain/format-time'
import { HOUR } from '../domain/granularity'
import { PRICES_STALE_AFTER } from '../domain/live-prices'
import { sentenceCase } from '../domain/sentence-case'
import { unjudgedWords } from '../domain/unjudged-words'
import { nowAtom, pricesAtom } from './live-data'

/** The words about a pair's old prices; `prefix` is for screen readers, where the eye has an icon. */
interface StalePrices {
  readonly prefix: string
  readonly text: string
}

/** Once a price is too old for an alert: of which coin, and how old; null before. Renders when these words change. */
export function useStalePrices({ coinA, coinB }: Pick<WidgetView, 'coinA' | 'coinB'>): StalePrices | null {
  const wordsAtom = useMemo(
    () =>
      atom((get): string | null => {
        const prices = get(pricesAtom)?.prices
        const [a, b] = [coinA, coinB].map(({ id }) => get(nowAtom) - (prices?.[id]?.provider_time ?? Infinity))
        const [isOldA, isOldB] = [a! > PRICES_STALE_AFTER, b! > PRICES_STALE_AFTER]
        if (!isOldA && !isOldB) return null
        const symbol = isOldA && isOldB ? '' : isOldA ? coinA.symbol : coinB.symbol
        return `${symbol} ${formatAge(Math.max(a!, b!))}`
      }),
    [coinA, coinB],
  )
  const found = useAtomValue(wordsAtom)
  if (found === null) return null
  const space = found.indexOf(' ')
  const [symbol, ago] = [found.slice(0, space), found.slice(space + 1)]
  if (symbol === '') return { prefix: 'Prices from ', text: ago }
  return { prefix: '', text: `${symbol} price is ${ago.replace(/ ago$/, ' old')}` }
}

/**
 * Why the pair has not been judged for an hour; null: it has, or this device knows no new price of any coin: then the network, the
 * server or its provider is at fault. Renders when these words change.
 */
export function useUnjudged({ coinA, coinB }: Pick<WidgetView, 'coinA' | 'coinB'>): string | null {
  const wordsAtom = useMemo(
    () =>
      atom((get): string | null => {
        const [prices, now] = [get(pricesAtom)?.prices ?? {}, get(nowAtom)]
        const isOld = (at: number) => now - at > PRICES_STALE_AFTER
        const legs = [coinA, coinB].map(({ id, symbol }) => ({ coin: symbol, at: prices[id]?.provider_time ?? null }))
        const oldest = legs.reduce((one, other) => ((other.at ?? 0) < (one.at ?? 0) ? other : one))
        if (oldest.at === null || now - oldest.at < HOUR) return null
        return Object.values(prices).every(({ provider_time }) => isOld(provider_time))
          ? null
          : sentenceCase(unjudgedWords(oldest, now))
      }),
    [coinA, coinB],
  )
  return useAtomValue(wordsAtom)
}
