import { APIError, Coingecko, CoingeckoError, NotFoundError, RateLimitError } from '@coingecko/coingecko-typescript'
import * as z from 'zod'
import { DAY, type Granularity, MINUTE } from '../../../../src/domain/granularity'
import { parseRetryAfter } from '../../../../src/domain/waits'
import { emptySeries } from '../../../../src/domain/series'
import { limitConcurrency } from '../../../waits'
import {
  type CallPurpose,
  type CallShare,
  type ListedCoin,
  type MarketProvider,
  ProviderError,
  type Reach,
} from '../provider'
import { errorCodeOf, pingAnswer, readChart, readMarkets, readSpotPrices, type ReportOddCoin } from './answers'
import { boundedFetch } from './bounded-fetch'

/** Levels that free and demo keys reach. CoinGecko has no thirty-minute points. */
const REACH = { fiveMinutely: DAY, hourly: 90 * DAY, daily: 365 * DAY } as const satisfies Reach
const isReached = (granularity: Granularity): granularity is keyof typeof REACH => granularity in REACH

/** Ids in one /simple/price, rows in one /coins/markets. */
const COINS_PER_PAGE = 250
/** Requests for one list of coins, at most: twice as many as 500 coins take, since some rows have no rank. */
export const MAX_LIST_PAGES = 4
/** Requests at the same time. */
const CONCURRENT_CALLS = 4

/** By the ids of /coins/categories/list. Each costs a call. */
const KIND_CATEGORIES: MarketProvider['kindCategories'] = [
  { kind: 'usd', category: 'stablecoins' },
  { kind: 'wrapped', category: 'wrapped-tokens' },
  { kind: 'wrapped', category: 'liquid-staking-tokens' },
  { kind: 'wrapped', category: 'liquid-restaking-tokens' },
]

const PUBLIC_URL = 'https://api.coingecko.com/api/v3'
const PRO_URL = 'https://pro-api.coingecko.com/api/v3'

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
  /** Called when CoinGecko asks for a pause of so many milliseconds. */
  readonly onRateLimited: (pause: number) => Promise<void>
  readonly onOddCoin: ReportOddCoin
  /** Called with the time that each answer tells, milliseconds since 1970 (Date, RFC 9110, 6.6.1). */
  readonly onTime?: ((told: number) => Promise<void>) | undefined
}

export interface CoinGecko extends MarketProvider {
  /** @throws ProviderError unless CoinGecko answers */
  ping(): Promise<void>
}

/** Reads each answer within bounds, and tells its time. */
const timedFetch =
  (onTime: CoinGeckoOptions['onTime']): typeof fetch =>
  async (...request) => {
    const answer = await boundedFetch(...request)
    const told = Date.parse(answer.headers.get('date') ?? '')
    if (!Number.isNaN(told)) await onTime?.(told)
    return answer
  }

const clientOf = ({ baseUrl, proKey, demoKey, timeout, onTime }: CoinGeckoOptions): Coingecko =>
  new Coingecko({
    baseURL: baseUrl ?? (proKey === undefined ? PUBLIC_URL : PRO_URL),
    proAPIKey: proKey ?? null,
    demoAPIKey: proKey === undefined ? (demoKey ?? null) : null,
    // Without a key the SDK wants an explicit null.
    defaultHeaders: (proKey ?? demoKey) ? {} : { 'x-cg-pro-api-key': null },
    // Every request counts against the month's calls, so whether to try again is decided where they are counted.
    maxRetries: 0,
    timeout,
    fetch: timedFetch(onTime),
    // A redirect would carry the key to whatever address the answer names.
    fetchOptions: { redirect: 'error' },
    logLevel: 'off',
  })

type Call = ReturnType<typeof countedCalls>

/** Makes requests, some at a time, each counted before it is made. */
function countedCalls({ clock, timeout, spend, onRateLimited }: CoinGeckoOptions) {
  const enter = limitConcurrency(CONCURRENT_CALLS)
  return <T>(
    purpose: CallPurpose,
    request: (options: { signal: AbortSignal }) => PromiseLike<unknown>,
    read: (answer: unknown, now: number) => T,
    share: CallShare = 'polling',
  ): Promise<T> =>
    enter(async () => {
      await spend(purpose, share)
      try {
        return await ask(request, (answer) => read(answer, clock()), { timeout, now: clock() })
      } catch (error) {
        if (error instanceof ProviderError && error.failure === 'rate-limited') {
          await onRateLimited(error.retryAfter ?? 0)
        }
        throw error
      }
    })
}

/**
 * The coins of best rank, page by page; a coin that moves between pages meanwhile is taken once. A page without news is the
 * last: a provider whose list has no ranks, or gives the same page again and again, is not asked for ever.
 */
async function listCoins(
  client: Coingecko,
  call: Call,
  limit: number,
  onOddCoin: ReportOddCoin,
): Promise<readonly ListedCoin[]> {
  const best = new Map<string, ListedCoin>()
  for (let page = 1; best.size < limit && page <= MAX_LIST_PAGES; page++) {
    let rows = 0
    const query = { vs_currency: 'usd', order: 'market_cap_desc', per_page: COINS_PER_PAGE, page } as const
    const coins = await call(
      'coins',
      (its) => client.coins.markets.get(query, its),
      (answer, now) => {
        rows = Array.isArray(answer) ? answer.length : 0
        return readMarkets(answer, now, onOddCoin)
      },
    )
    const known = best.size
    for (const coin of coins) {
      const there = best.get(coin.id)
      if (there === undefined || coin.market_cap_rank < there.market_cap_rank) best.set(coin.id, coin)
    }
    if (rows < COINS_PER_PAGE || best.size === known) break
  }
  return [...best.values()].toSorted((a, b) => a.market_cap_rank - b.market_cap_rank).slice(0, limit)
}

const categoryIds = (client: Coingecko, call: Call, category: string): Promise<readonly string[]> =>
  call(
    'kinds',
    (its) =>
      client.coins.markets.get(
        { vs_currency: 'usd', category, order: 'market_cap_desc', per_page: COINS_PER_PAGE, page: 1 },
        its,
      ),
    (answer, now) => readMarkets(answer, now, () => undefined).map(({ id }) => id),
  )

export function coinGecko(options: CoinGeckoOptions): CoinGecko {
  const client = clientOf(options)
  const call = countedCalls(options)

  return {
    source: 'coingecko',
    attribution: { text: 'Data provided by CoinGecko', url: 'https://www.coingecko.com' },
    reach: REACH,
    mostIds: COINS_PER_PAGE,

    ping: async () =>
      void (await call(
        'ping',
        (its) => client.ping.get(its),
        (answer) => pingAnswer.parse(answer),
      )),

    listCoins: (limit) => listCoins(client, call, limit, options.onOddCoin),

    kindCategories: KIND_CATEGORIES,

    categoryIds: (category) => categoryIds(client, call, category),

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

    history: async (id, granularity, share = 'asked', purpose = 'history') => {
      if (!isReached(granularity)) return emptySeries()
      const days = String(REACH[granularity] / DAY)
      try {
        return await call(
          purpose,
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

const RATE_LIMITED = 429
/** Pause after a 429 without Retry-After. */
const USUAL_PAUSE = MINUTE
/** Milliseconds. No pause that is asked for is longer here. */
export const LONGEST_PAUSE = 15 * MINUTE

/** Milliseconds that a 429 asks for. */
const retryAfter = (headers: Headers | undefined, now: number): number =>
  Math.min(parseRetryAfter(headers?.get('retry-after') ?? null, now) ?? USUAL_PAUSE, LONGEST_PAUSE)

/**
 * Makes one request and reads its answer, within `timeout` milliseconds for head and body together: the SDK's own time
 * limit ends with the head, and a body that never comes would hold the caller for ever.
 * @throws ProviderError always of that kind, whatever went wrong
 */
async function ask<T>(
  request: (options: { signal: AbortSignal }) => PromiseLike<unknown>,
  read: (answer: unknown) => T,
  { timeout, now }: { timeout: number; now: number },
): Promise<T> {
  const signal = AbortSignal.timeout(timeout)
  let answer: unknown
  try {
    answer = await request({ signal })
    return read(answer)
  } catch (error) {
    if (signal.aborted) {
      throw new ProviderError('unreachable', `CoinGecko did not answer within ${timeout} ms`, { cause: error })
    }
    throw asProviderError(error, answer, now)
  }
}

function asProviderError(error: unknown, answer: unknown, now: number): ProviderError {
  if (error instanceof RateLimitError || errorCodeOf(answer) === RATE_LIMITED) {
    const wait = retryAfter(error instanceof RateLimitError ? error.headers : undefined, now)
    return new ProviderError('rate-limited', `CoinGecko asks for a pause of ${wait} ms`, { retryAfter: wait })
  }
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return new ProviderError('malformed', "CoinGecko's answer is not what it should be", { cause: error })
  }
  if (error instanceof APIError && error.status !== undefined) {
    return new ProviderError('refused', `CoinGecko answered ${error.status}`, { cause: error })
  }
  // A connection that broke in the body comes as a TypeError of fetch, before it as one of the SDK's own errors.
  if (error instanceof CoingeckoError || error instanceof TypeError) {
    return new ProviderError('unreachable', 'CoinGecko cannot be reached', { cause: error })
  }
  return new ProviderError('malformed', 'CoinGecko could not be asked', { cause: error })
}
