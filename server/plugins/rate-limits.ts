import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../api-error'
import type { Env } from '../env'

/** Requests a minute from one address. A household shares one, and a long queue is drained in a burst. */
const PER_MINUTE = { read: 1200, write: 600 } as const

const kind = ({ method }: FastifyRequest): keyof typeof PER_MINUTE =>
  method === 'GET' || method === 'HEAD' ? 'read' : 'write'

/** Limits what one address may ask of the API; the app's files are not counted. */
export async function limitRates(app: FastifyInstance, { RATE_LIMIT_FACTOR }: Env): Promise<void> {
  await app.register(rateLimit, {
    timeWindow: '1 minute',
    max: (request) => Math.max(1, Math.round(PER_MINUTE[kind(request)] * RATE_LIMIT_FACTOR)),
    keyGenerator: (request) => `${kind(request)} ${request.ip}`,
    // By the route that was found: an address may spell the same path in several ways.
    allowList: (request) => !request.routeOptions.url?.startsWith('/api/'),
    cache: 20_000,
    errorResponseBuilder: (_request, { after }) =>
      new ApiError('RATE_LIMITED', `Too many requests. Please try again in ${after}.`),
  })
}
