import { BUCKET_MS, DAY } from '../../../../src/domain/granularity'
import { emptySeries } from '../../../../src/domain/series'
import type { MarketProvider, Reach, SpotPrice } from '../provider'
import { SIMULATED_COINS } from './coins'
import { simulatedPrice, simulatedPrices } from './prices'

/** Far enough for every chart period with its initial-average window. */
const REACH = { fiveMinutely: 2 * DAY, thirtyMinutely: 9 * DAY, hourly: 100 * DAY, daily: 1095 * DAY } satisfies Reach

/** A market that needs no network: the same prices for everybody, at any time, after any restart. */
export function simulatedProvider(clock: () => number): MarketProvider {
  return {
    source: 'simulated',
    attribution: { text: 'Simulated prices', url: null },
    reach: REACH,
    mostIds: 1000,

    listCoins: async (limit) => {
      const at = clock()
      return SIMULATED_COINS.slice(0, limit).map(({ id, symbol, name }, index) => ({
        id,
        symbol,
        name,
        image: `/api/v1/coins/${encodeURIComponent(id)}/icon.svg`,
        market_cap_rank: index + 1,
        usd: simulatedPrice(id, at) ?? null,
        providerTime: at,
      }))
    },

    kindCategories: [
      { kind: 'usd', category: 'pegged' },
      { kind: 'wrapped', category: 'following' },
    ],
    categoryIds: async (category) =>
      SIMULATED_COINS.filter(({ temper, follows }) =>
        category === 'pegged' ? temper === 'pegged' : follows !== undefined,
      ).map(({ id }) => id),

    spotPrices: async (ids) => {
      const at = clock()
      const found = new Map<string, SpotPrice>()
      for (const id of ids) {
        const usd = simulatedPrice(id, at)
        if (usd !== undefined) found.set(id, { usd, providerTime: at })
      }
      return found
    },

    history: async (id, granularity) => {
      const size = BUCKET_MS[granularity]
      const now = clock()
      const first = Math.ceil((now - REACH[granularity]) / size)
      const count = Math.floor(now / size) - first + 1
      const times = Float64Array.from({ length: count }, (_, i) => (first + i) * size)
      const prices = simulatedPrices(id, times)
      return prices === undefined ? emptySeries() : { times, prices }
    },
  }
}
