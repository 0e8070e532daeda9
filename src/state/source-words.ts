import type { MarketSource } from '../contract/market'

/** Source of the prices, in a word or two. */
export const SOURCE_WORDS: Readonly<Record<MarketSource, string>> = {
  coingecko: 'CoinGecko',
  simulated: 'Simulated prices',
}
