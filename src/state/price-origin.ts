import { atom } from 'jotai'
import type { CoinId } from '../domain/ids'
import { type Exchange, EXCHANGES, isExchange } from '../domain/exchanges'
import { nowAtom, pricesAtom } from './live-data'
import { PRICES_STALE_AFTER } from '../domain/live-prices'

/** Names of the exchanges that gave prices which are not old; empty: the provider gave all. `coins`: of these, not of all. */
export const liveExchangesAtom = (coins: readonly CoinId[] | null) =>
  atom((get): string => {
    const prices = get(pricesAtom)?.prices ?? {}
    const since = get(nowAtom) - PRICES_STALE_AFTER
    const found = new Set<Exchange>()
    for (const [coin, { via, provider_time: time }] of Object.entries(prices)) {
      if (isExchange(via) && time >= since && (coins === null || coins.includes(coin as CoinId))) found.add(via)
    }
    return [...found].map((one) => EXCHANGES[one].name).join(', ')
  })
