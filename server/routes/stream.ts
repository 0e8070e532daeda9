import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import { errorBody } from '../../src/contract/errors'
import { API_BASE } from '../../src/contract/routes'
import { MAX_STREAM_COINS, streamRoute } from '../../src/contract/stream'
import type { CoinId } from '../../src/domain/ids'
import { ApiError } from '../http/api-error'
import type { AppDeps } from '../app-deps'
import { callerOf } from '../plugins/identity'
import type { Market } from '../services/market/market'

/** Longer texts are the id of no coin. */
const MAX_ID_LENGTH = 128

/**
 * GET /stream. The answer is written by hand and has no end: Fastify's time limits and compression leave it alone.
 * @param readSettings the public settings, whose changes streams tell of
 */
export function serveStream(
  app: FastifyInstance,
  { live, market }: Pick<AppDeps, 'live' | 'market'>,
  readSettings: () => Promise<unknown>,
): void {
  live.watchSettings(readSettings)
  app.route({
    method: 'GET',
    url: `${API_BASE}${streamRoute.path}`,
    // HEAD would have to open a stream to say what GET would.
    exposeHeadRoute: false,
    schema: {
      summary: streamRoute.summary,
      security: [{ bearer: [] }, { anonymous: [] }],
      querystring: streamRoute.query,
      response: {
        200: { description: 'text/event-stream', content: { 'text/event-stream': { schema: z.string() } } },
        '4xx': errorBody,
        '5xx': errorBody,
      },
    },
    config: { identity: streamRoute.identity, endless: true },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      if (caller === null) throw new ApiError('UNAUTHENTICATED', 'An identity is required.')
      const coins = await knownCoins(market, streamRoute.query.parse(request.query).coins)
      const last = request.headers['last-event-id']
      const lastEventId = typeof last === 'string' ? last : undefined
      await live.open({ caller, coins, ip: request.ip, lastEventId, begin: () => begin(reply) })
      return reply
    },
  })
}

/** Coins of the list alone: texts of strangers are not kept for hours. */
async function knownCoins(market: Market, text = ''): Promise<readonly string[]> {
  const ids = [...new Set(text.split(',').filter(Boolean))]
  if (ids.length > MAX_STREAM_COINS || ids.some((id) => id.length > MAX_ID_LENGTH)) {
    throw new ApiError('VALIDATION_ERROR', `At most ${MAX_STREAM_COINS} coins, each by its id.`)
  }
  try {
    const known = await Promise.all(ids.map((id) => market.knows(id as CoinId)))
    return ids.filter((_, index) => known[index])
  } catch (error) {
    // While there is no list the coins may well be on it.
    if (error instanceof ApiError && error.code === 'MARKET_DATA_UNAVAILABLE') return ids
    throw error
  }
}

function begin(reply: FastifyReply) {
  const { raw } = reply
  if (raw.destroyed) return null
  reply.hijack()
  // Without chunks: the body ends with the connection, and each event is one write of its own text.
  raw.useChunkedEncodingByDefault = false
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that compresses or gathers an answer would hold events back.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': reply.request.id,
    connection: 'close',
  })
  return raw
}
