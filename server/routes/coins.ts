import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { errorBody } from '../../src/contract/errors'
import { lastUpdatedAt, type SimplePrice, simplePrice, SOURCE_HEADER } from '../../src/contract/market'
import { API_BASE, routes } from '../../src/contract/routes'
import { coinId } from '../../src/contract/scalars'
import { BUCKET_MS, DAY, HOUR } from '../../src/domain/granularity'
import { coinIcon } from '../adapters/market-data/simulated/coins'
import { ApiError } from '../api-error'
import type { AppDeps } from '../app-deps'
import { readyPairs } from '../services/market/ready-pairs'
import { serve } from './serve'

/** Seconds that a history is kept which may be complete soon. */
const A_MOMENT = 30

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
  serve(app, routes.supportedCoins, async ({ request, reply }) => {
    const coins = await market.coins()
    return sendTagged(request, reply, coins, HOUR / 1000)
  })

  serve(app, routes.historical, async ({ params, query, request, reply }) => {
    const { answer, complete } = await market.history(params.id, query.period, request.ip)
    // An answer that lacks something must not stand in the way of the next one for a day.
    return sendTagged(request, reply, answer, complete ? BUCKET_MS[answer.granularity] / 1000 : A_MOMENT)
  })

  const ready = readyPairs(market, clock)
  serve(app, routes.readyPairs, async ({ request, reply }) => sendTagged(request, reply, await ready(), A_MOMENT))

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

  // CoinGecko's call in CoinGecko's wire format, answered from stored prices.
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
      const { ids, vs_currencies, include_last_updated_at } = priceQuery.parse(request.query)
      reply.header('cache-control', 'no-cache').header(SOURCE_HEADER, market.source)
      const currencies = listOf(vs_currencies)
      if (currencies.length === 0) throw refusal('Missing parameter vs_currencies')
      const wanted = listOf(ids)
      if (wanted.length === 0) throw refusal('Missing parameter ids')
      if (wanted.length > MAX_IDS) throw refusal(`At most ${MAX_IDS} ids`)

      const inUsd = currencies.includes('usd')
      const answer: SimplePrice = {}
      for (const [id, { usd, providerTime }] of await market.prices(wanted, request.ip)) {
        answer[id] = {
          ...(inUsd && { usd }),
          ...(include_last_updated_at === 'true' && { last_updated_at: lastUpdatedAt(providerTime) }),
        }
      }
      return answer
    },
  )
}

/** Sends JSON with an ETag, or 304 to a client that has it already. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: object, maxAge: number): FastifyReply {
  const body = JSON.stringify(answer)
  // Weak, since the same answer may go out compressed or not.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  reply.header('etag', etag).header('cache-control', `public, max-age=${maxAge}`)
  if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply
    .type('application/json; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(body)
}

const holds = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((tag) => tag.trim() === etag || `W/${tag.trim()}` === etag)
