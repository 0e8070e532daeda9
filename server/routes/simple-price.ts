import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { errorBody } from '../../src/contract/errors'
import type { SimplePrice } from '../../src/contract/market'
import { simplePrice, SOURCE_HEADER } from '../../src/contract/market'
import { ApiError } from '../api-error'
import type { AppParts } from '../app-parts'

/** As many as the list of coins has. */
const MOST_IDS = 500
const LONGEST_ID = 128

const text = z.string().max(MOST_IDS * (LONGEST_ID + 1))
/** Parameters that CoinGecko knows and we do not are ignored, as it ignores those it does not know. */
const query = z.looseObject({
  ids: text.optional(),
  vs_currencies: text.optional(),
  include_last_updated_at: z.string().optional(),
})

const listOf = (value: string | undefined): string[] => (value ?? '').split(',').map((part) => part.trim()).filter(Boolean) // prettier-ignore

/** CoinGecko's error format and ours in one. */
const refusal = (error: string) => new ApiError('VALIDATION_ERROR', error, { error })

/** GET /api/v3/simple/price: CoinGecko's call in CoinGecko's wire format, answered from what is stored. */
export function simplePriceRoute(app: FastifyInstance, { market }: AppParts): void {
  app.get(
    '/api/v3/simple/price',
    {
      schema: {
        summary: "Latest prices in CoinGecko's wire format",
        querystring: query,
        response: { 200: simplePrice, '4xx': errorBody, '5xx': errorBody },
      },
    },
    async (request, reply) => {
      const { ids, vs_currencies, include_last_updated_at } = query.parse(request.query)
      reply.header('cache-control', 'no-cache').header(SOURCE_HEADER, market.source)
      const currencies = listOf(vs_currencies)
      if (currencies.length === 0) throw refusal('Missing parameter vs_currencies')
      const wanted = listOf(ids)
      if (wanted.length === 0) throw refusal('Missing parameter ids')
      if (wanted.length > MOST_IDS) throw refusal(`At most ${MOST_IDS} ids`)

      const inUsd = currencies.includes('usd')
      const answer: SimplePrice = {}
      for (const [id, { usd, at }] of await market.prices(wanted, request.ip)) {
        answer[id] = {
          ...(inUsd && { usd }),
          ...(include_last_updated_at === 'true' && { last_updated_at: Math.floor(at / 1000) }),
        }
      }
      return answer
    },
  )
}
