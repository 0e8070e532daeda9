import { Coingecko, NotFoundError } from '@coingecko/coingecko-typescript'
import { DAY, type Granularity } from '../../../../src/domain/granularity'
import { emptySeries } from '../../../../src/domain/series'
import { ProviderError, type CallShare, type ListedCoin, type MarketProvider, type Reach } from '../provider'
import { pingAnswer, readChart, readMarkets, readSpotPrices, type ReportOddCoin } from './answers'
import { ask } from './ask'
import { turnstile } from './turnstile'

/** What free and demo keys reach. Thirty-minute points it does not have. */
const REACH = { fiveMinutely: DAY, hourly: 90 * DAY, daily: 365 * DAY } as const satisfies Reach
const isReached = (granularity: Granularity): granularity is keyof typeof REACH => granularity in REACH

/** Ids in one /simple/price, rows in one /coins/markets. */
const PAGE = 250
/** Requests at the same time. */
const WIDTH = 4

const PUBLIC_URL = 'https://api.coingecko.com/api/v3'
const PRO_URL = 'https://pro-api.coingecko.com/api/v3'

/** What a request is for; `soon` is a spot price out of turn. */
export type CallPurpose = 'ping' | 'coins' | 'prices' | 'soon' | 'history'

export interface CoinGeckoOptions {
  /** Including `/api/v3`; the public one where absent. */
  readonly baseUrl?: string | undefined
  readonly demoKey?: string | undefined
  readonly proKey?: string | undefined
  /** Milliseconds that one request may take. */
  readonly timeout: number
  readonly clock: () => number
  /** Called before every request; throws a ProviderError where it must not be made. */
  readonly spend: (purpose: CallPurpose, share: CallShare) => Promise<void>
  /** Told when CoinGecko asks everybody to be silent for so many milliseconds. */
  readonly onRateLimited: (pause: number) => Promise<void>
  readonly onOddCoin: ReportOddCoin
}

export interface CoinGecko extends MarketProvider {
  /** @throws ProviderError unless CoinGecko answers */
  ping(): Promise<void>
}

export function coinGecko(options: CoinGeckoOptions): CoinGecko {
  const { clock, timeout } = options
  const client = new Coingecko({
    baseURL: options.baseUrl ?? (options.proKey === undefined ? PUBLIC_URL : PRO_URL),
    proAPIKey: options.proKey ?? null,
    demoAPIKey: options.proKey === undefined ? (options.demoKey ?? null) : null,
    // Without a key the SDK wants to be told that none is meant.
    defaultHeaders: (options.proKey ?? options.demoKey) ? {} : { 'x-cg-pro-api-key': null },
    // Every request counts against the month's calls, so whether to try again is decided where they are counted.
    maxRetries: 0,
    timeout,
    logLevel: 'off',
  })
  const enter = turnstile(WIDTH)

  const call = <T>(
    purpose: CallPurpose,
    request: (options: { signal: AbortSignal }) => PromiseLike<unknown>,
    read: (answer: unknown, now: number) => T,
    share: CallShare = 'polling',
  ): Promise<T> =>
    enter(async () => {
      await options.spend(purpose, share)
      try {
        return await ask(request, (answer) => read(answer, clock()), { timeout, now: clock() })
      } catch (error) {
        if (error instanceof ProviderError && error.failure === 'rate-limited') {
          await options.onRateLimited(error.retryAfter ?? 0)
        }
        throw error
      }
    })

  return {
    source: 'coingecko',
    attribution: { text: 'Data provided by CoinGecko', url: 'https://www.coingecko.com' },
    reach: REACH,
    mostIds: PAGE,

    ping: async () => {
      await call('ping', (its) => client.ping.get(its), (answer) => pingAnswer.parse(answer)) // prettier-ignore
    },

    listCoins: async (limit) => {
      const found: ListedCoin[] = []
      for (let page = 1; found.length < limit; page++) {
        let rows = 0
        const coins = await call(
          'coins',
          (its) =>
            client.coins.markets.get({ vs_currency: 'usd', order: 'market_cap_desc', per_page: PAGE, page }, its),
          (answer, now) => {
            rows = Array.isArray(answer) ? answer.length : 0
            return readMarkets(answer, now, options.onOddCoin)
          },
        )
        found.push(...coins)
        if (rows < PAGE) break
      }
      const best = new Map<string, ListedCoin>()
      for (const coin of found.toSorted((a, b) => a.market_cap_rank - b.market_cap_rank)) {
        if (!best.has(coin.id)) best.set(coin.id, coin)
      }
      return [...best.values()].slice(0, limit)
    },

    spotPrices: (ids, share = 'polling') =>
      call(
        share === 'polling' ? 'prices' : 'soon',
        (its) =>
          client.simple.price.get(
            { ids: ids.join(','), vs_currencies: 'usd', include_last_updated_at: true, precision: 'full' },
            its,
          ),
        (answer, now) => readSpotPrices(answer, now, options.onOddCoin),
        share,
      ),

    history: async (id, granularity, share = 'asked') => {
      if (!isReached(granularity)) return emptySeries()
      const days = String(REACH[granularity] / DAY)
      try {
        return await call(
          'history',
          (its) => client.coins.marketChart.get(id, { vs_currency: 'usd', days, precision: 'full' }, its),
          readChart,
          share,
        )
      } catch (error) {
        // A coin that CoinGecko has dropped has no history; that is an answer.
        if (error instanceof ProviderError && error.cause instanceof NotFoundError) return emptySeries()
        throw error
      }
    },
  }
}
