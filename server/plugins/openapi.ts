import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { checkpoint } from '../../src/contract/checkpoint'
import { errorBody } from '../../src/contract/errors'
import { coin, historical } from '../../src/contract/market'
import { config, policies, tierLimits } from '../../src/contract/settings'
import { API_BASE } from '../../src/contract/routes'
import { tokenAnswer, user } from '../../src/contract/session'
import { REVISION_HEADER } from '../../src/contract/stream'
import { widget } from '../../src/contract/widget'
import { VERSION } from '../program-files'

/** Schemas that the document names, and refers to by name. */
const schemaRegistry = z.registry<{ id: string }>()
const named = {
  Checkpoint: checkpoint,
  Coin: coin,
  Config: config,
  Error: errorBody,
  Historical: historical,
  Policies: policies,
  TierLimits: tierLimits,
  TokenAnswer: tokenAnswer,
  User: user,
  Widget: widget,
}
for (const [id, schema] of Object.entries(named)) schemaRegistry.add(schema, { id })

const describe = createJsonSchemaTransform({ schemaRegistry })

const TOTAL = { 'X-Total-Count': { type: 'integer', description: 'How many there are in all' } }

const REVISION = {
  [REVISION_HEADER]: {
    type: 'string',
    description: "Revision of the caller's widgets; of a change, those before and after it, unless it was made before",
  },
}

const DAILY_CLOSES_FORMAT =
  'Little-endian: 4 bytes "RTD1"; uint32, bytes of the header; the header, JSON in ASCII padded with spaces to a multiple ' +
  'of 4 ({"source", "first_day", "days", "ranked", "coins"}: number of the first UTC day since 1970, how many days, how ' +
  'many coins at the front are the best by market cap, ids of the coins); then coin by coin `days` float32 closes in USD, ' +
  'NaN where none is known.'

/** Zod knows of JSON only. */
function withBytes(config: RouteOptions['config'], described: ReturnType<typeof describe>): typeof described {
  const media = config?.media
  if (media === undefined) return described
  const response = described.schema.response as Readonly<Record<string, object>>
  const schema = { type: 'string', format: 'binary' }
  const bytes = { description: DAILY_CLOSES_FORMAT, content: { [media]: { schema } } }
  return { ...described, schema: { ...described.schema, response: { ...response, 200: bytes } } }
}

/** Zod knows of bodies only. */
function withHeaders(config: RouteOptions['config'], described: ReturnType<typeof describe>): typeof described {
  const headers = { ...(config?.counted && TOTAL), ...(config?.revised && REVISION) }
  if (Object.keys(headers).length === 0) return described
  const response = described.schema.response as Readonly<Record<string, object>>
  const answers = Object.entries(response).map(([status, answer]) => [
    status,
    status.startsWith('2') ? { ...answer, headers } : answer,
  ])
  return { ...described, schema: { ...described.schema, response: Object.fromEntries(answers) as object } }
}

/** Serves the OpenAPI document, made from the routes' schemas. Must be registered before the routes. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Crypto Ratio Tracker', version: VERSION },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          anonymous: { type: 'apiKey', in: 'header', name: 'X-Anonymous-User-ID' },
        },
      },
    },
    transform: (given) => withHeaders(given.route.config, withBytes(given.route.config, describe(given))),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry }),
  })
  app.get(`${API_BASE}/openapi.json`, { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(app.swagger()),
  )
}
