import type { Exchange as CcxtExchange } from 'ccxt'
import type { FeedSetup } from './exchange-feed'

/** ccxt's object for the exchange, not connected yet. Fetches prices and markets alone, so it has no key. */
export async function connectTo({ exchange, url }: FeedSetup): Promise<CcxtExchange> {
  const { pro } = (await import('ccxt')).default
  switch (exchange) {
    case 'kraken': {
      const kraken = new pro.kraken()
      return at(url, kraken, (feed, list) => {
        kraken.urls.api.ws.publicV2 = feed
        kraken.urls.api.public = list
      })
    }
    case 'coinbase': {
      // The exchange's own feed; the one of ccxt's `coinbase` asks for a key.
      const coinbase = new pro.coinbaseexchange()
      return at(url, coinbase, (feed, list) => {
        coinbase.urls.api.ws = feed
        coinbase.urls.api.public = list
      })
    }
    case 'binance': {
      const options = { fetchMarkets: { types: ['spot'] }, watchTickers: { name: 'miniTicker' } }
      const binance = new pro.binance({ options })
      return at(url, binance, (feed, list) => {
        binance.urls.api.ws.spot = feed
        binance.urls.api.public = `${list}/api/v3`
      })
    }
  }
}

/**
 * Has the exchange reached at another address, if there is one.
 * @param place puts the address of the feed, and the origin that the list of markets is asked for at
 */
async function at(
  url: string | null,
  exchange: CcxtExchange,
  place: (feed: string, list: string) => void,
): Promise<CcxtExchange> {
  if (url === null) return exchange
  const { protocol, host } = new URL(url)
  place(url, `${protocol === 'wss:' ? 'https:' : 'http:'}//${host}`)
  // Until this was called, ccxt refuses ws: without encryption.
  await exchange.loadHttpProxyAgent()
  return exchange
}
