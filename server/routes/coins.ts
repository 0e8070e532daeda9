import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { BUCKET_MS } from '../../src/domain/granularity'
import { API_BASE, routes } from '../../src/contract/routes'
import { coinId } from '../../src/contract/scalars'
import { ApiError } from '../api-error'
import { coinIcon } from '../adapters/market-data/coin-icon'
import type { AppParts } from '../app-parts'
import { readyPairs } from '../services/market/ready-pairs'
import { serve } from './serve'

/** Seconds. */
const HOUR = 3600
const WEEK = 7 * 86_400
/** Where more may be had soon. */
const A_MOMENT = 30

const iconParams = z.strictObject({ id: coinId })

/** Coins, their history and their icons, and the pairs to begin with. */
export function coinRoutes(app: FastifyInstance, { market, clock }: AppParts): void {
  serve(app, routes.supportedCoins, async ({ request, reply }) => {
    const coins = await market.coins()
    return sendTagged(request, reply, coins, HOUR)
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
        .header('cache-control', `public, max-age=${WEEK}`)
        .send(coinIcon(coin.id, coin.symbol))
    },
  )
}

/** Sends JSON with an ETag, or 304 to whoever has it already. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: object, maxAge: number): FastifyReply {
  const body = JSON.stringify(answer)
  // Weak, since the same answer may go out compressed or not.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  reply.header('etag', etag).header('cache-control', `public, max-age=${maxAge}`)
  if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').serializer((text: unknown) => text as string).send(body) // prettier-ignore
}

const holds = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((tag) => tag.trim() === etag || `W/${tag.trim()}` === etag)
