/** Exchanges whose public ticker may stand in for the provider's spot prices, with the words and address that name them. */
export const EXCHANGES = {
  kraken: { name: 'Kraken', url: 'https://www.kraken.com' },
  coinbase: { name: 'Coinbase', url: 'https://www.coinbase.com' },
  binance: { name: 'Binance', url: 'https://www.binance.com' },
} as const
export type Exchange = keyof typeof EXCHANGES

/** False for an exchange that only a later version knows. */
export const isExchange = (via: string | null | undefined): via is Exchange =>
  via != null && Object.hasOwn(EXCHANGES, via)
