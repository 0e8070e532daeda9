import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { errorBody } from '../../src/contract/errors'
import { AS_OF_HEADER, lastUpdatedAt, type SimplePrice, simplePrice, SOURCE_HEADER } from '../../src/contract/market'
import { API_BASE, routes } from '../../src/contract/routes'
import { coinId } from '../../src/contract/scalars'
import { BUCKET_MS, DAY, HOUR } from '../../src/domain/granularity'
import { PERIOD_RULES } from '../../src/domain/chart-periods'
import type { SpotPrice } from '../adapters/market-data/provider'
import { coinIcon } from '../adapters/market-data/simulated/coins'
import { ApiError } from '../http/api-error'
import type { AppDeps } from '../app-deps'
import { bodiesByValue, sendBody } from '../http/kept-body'
import type { Market } from '../services/market/market'
import { asOf } from '../services/market/prices/stored-prices'
import { readyPairs } from '../services/market/ready-pairs'
import { serve } from '../http/serve'

/** Seconds that a history is kept which may be complete soon, and as long the ready pairs. */
const A_MOMENT = 30
/**
 * Seconds for which a shared cache (a proxy, a CDN) may answer for this server. Browsers keep a list or a history longer,
 * but ask for one only where they need its newest end; a cache asks for thousands, and its answer must not grow old first.
 */
const SHARED = 60

/**
 * A browser asks each time and is told 304, since a poll wants the newest prices; a shared cache answers all polls of 15 s
 * with one. `no-cache` would forbid it that, and with `s-maxage` it may not serve an answer that is older (RFC 9111, 5.2.2).
 */
const PRICES_CACHING = 'public, max-age=0, must-revalidate, s-maxage=15'

/** A new day, and a coin whose past has come, reach everybody within five minutes. */
const DAILY_CACHING = 'public, max-age=300, s-maxage=300'

const iconParams = z.strictObject({ id: coinId })

/** As many as the list of coins has. */
const MAX_IDS = 500
const MAX_ID_LENGTH = 128

const text = z.string().max(MAX_IDS * (MAX_ID_LENGTH + 1))
/** Parameters that CoinGecko knows and we do not are ignored, as it ignores those it does not know. */
const priceQuery = z.looseObject({
  ids: text.optional(),
  vs_currencies: text.optional(),
  include_last_updated_at: z.string().optional(),
})

const listOf = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** CoinGecko's error format and ours in one. */
const refusal = (error: string) => new ApiError('VALIDATION_ERROR', error, { error })

/** Coins, their history, icons and prices, and the pairs to begin with. */
export function serveCoins(app: FastifyInstance, { market, clock }: AppDeps): void {
  const bodyOf = bodiesByValue()

  serve(app, routes.supportedCoins, async ({ request, reply }) =>
    sendBody(request, reply, bodyOf(await market.coins()), `public, max-age=${HOUR / 1000}, s-maxage=${SHARED}`),
  )

  serve(app, routes.historical, async ({ params, query, request, reply }) => {
    const { body, complete } = await market.history(params.id, query.period, request.ip)
    const bucket = BUCKET_MS[PERIOD_RULES[query.period].granularity] / 1000
    // An answer that lacks something must not stand in the way of the next one for a day, nor in the way of other addresses:
    // it may lack it because this one has had the provider asked too often.
    const caching = complete ? `public, max-age=${bucket}, s-maxage=${SHARED}` : `private, max-age=${A_MOMENT}`
    return sendBody(request, reply, body, caching)
  })

  serve(app, routes.dailyCloses, async ({ request, reply }) =>
    sendBody(request, reply, await market.daily(), DAILY_CACHING),
  )

  const ready = readyPairs(market, clock)
  serve(app, routes.readyPairs, async ({ request, reply }) =>
    sendBody(request, reply, bodyOf(await ready()), `public, max-age=${A_MOMENT}`),
  )

  app.get(
    `${API_BASE}/coins/:id/icon.svg`,
    { schema: { summary: 'A drawn icon of a coin (SVG)', params: iconParams, hide: true } },
    async (request, reply) => {
      const { id } = iconParams.parse(request.params)
      const coin = (await market.coins()).find((coin) => coin.id === id)
      if (coin === undefined) throw new ApiError('NOT_FOUND', 'There is no such coin.')
      return reply
        .header('content-type', 'image/svg+xml; charset=utf-8')
        .header('cache-control', `public, max-age=${(7 * DAY) / 1000}`)
        .send(coinIcon(coin.id, coin.symbol))
    },
  )

  serveSimplePrice(app, market, bodyOf)
}

/** CoinGecko's call in CoinGecko's wire format, answered from stored prices. */
function serveSimplePrice(app: FastifyInstance, market: Market, bodyOf: ReturnType<typeof bodiesByValue>): void {
  app.get(
    '/api/v3/simple/price',
    {
      schema: {
        summary: "Latest prices in CoinGecko's wire format",
        querystring: priceQuery,
        response: { 200: simplePrice, '4xx': errorBody, '5xx': errorBody },
      },
    },
    async (request, reply) => {
      const { ids, vs_currencies, include_last_updated_at } = request.query as z.output<typeof priceQuery>
      const currencies = listOf(vs_currencies)
      if (currencies.length === 0) throw refusal('Missing parameter vs_currencies')
      const wanted = listOf(ids)
      if (wanted.length === 0) throw refusal('Missing parameter ids')
      if (wanted.length > MAX_IDS) throw refusal(`At most ${MAX_IDS} ids`)

      const shown = { usd: currencies.includes('usd'), time: include_last_updated_at === 'true' }
      const prices = await market.prices(wanted, request.ip)
      const body = bodyOf(prices, JSON.stringify(shown), () => inCoinGeckosFormat(prices, shown))
      reply.header(SOURCE_HEADER, market.source)
      if (prices.size > 0) reply.header(AS_OF_HEADER, asOf(prices.values()))
      return sendBody(request, reply, body, PRICES_CACHING)
    },
  )
}

/** Which members the caller has asked for. */
interface ShownMembers {
  readonly usd: boolean
  readonly time: boolean
}

const inCoinGeckosFormat = (prices: ReadonlyMap<string, SpotPrice>, shown: ShownMembers): SimplePrice =>
  Object.fromEntries(
    Array.from(prices, ([id, { usd, providerTime, via }]) => [
      id,
      {
        ...(shown.usd && { usd }),
        ...(shown.time && { last_updated_at: lastUpdatedAt(providerTime) }),
        ...(via != null && { via }),
      },
    ]),
  )
