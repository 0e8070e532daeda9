import type { MarketSource } from '../contract/market'

/** Where prices come from, in a word or two. */
export const SOURCE_WORDS: Readonly<Record<MarketSource, string>> = {
  coingecko: 'CoinGecko',
  simulated: 'Simulated prices',
}
