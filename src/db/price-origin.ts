import type { Config } from '../contract/settings'

/** Path of the prices that our server serves, streams and judges; other settings name another service. */
const OWN_PRICES = '/api/v3'

/** True if this device gets its prices from the server of the app. */
export const arePricesOurs = ({ market_data }: Pick<Config, 'market_data'>, origin: string): boolean =>
  new URL(market_data.price_url, origin).href === new URL(OWN_PRICES, origin).href
