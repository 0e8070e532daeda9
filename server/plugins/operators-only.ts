import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import { isLoopbackAddress } from '../http/addresses'
import { ApiError } from '../http/api-error'
import type { Database } from '../db/open'
import type { Env } from '../env'
import { hashOfSecret } from '../services/secrets'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer goes on for as long as the client is there. */
    endless?: true
  }
}

/** Headers that reverse proxies, tunnels and content networks add to what they pass on; X-Forwarded-* besides. */
const OF_PROXIES: readonly string[] = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'cf-connecting-ip',
  'cf-ray',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'ngrok-skip-browser-warning',
]

/** True if a proxy says that it passed the request on for somebody else. */
export const cameThroughProxy = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-') || OF_PROXIES.includes(name))

/** Options of a route by which it is for some callers only; none: for all who reach the port. */
export type Guard = { readonly preParsing?: preParsingAsyncHookHandler }

/**
 * Lets in callers with METRICS_TOKEN as a bearer token, and programs on this machine: by the connection's own address, and
 * only where no proxy says that it asks for somebody else.
 */
export function operatorsOnly({ METRICS_TOKEN: token }: Pick<Env, 'METRICS_TOKEN'>): Guard {
  const hash = (secret: string) => Buffer.from(hashOfSecret(secret))
  const wanted = token === undefined ? null : hash(token)
  const preParsing: preParsingAsyncHookHandler = async (request) => {
    if (isLocal(request)) return
    const shown = /^bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (wanted !== null && shown !== undefined && timingSafeEqual(hash(shown), wanted)) return
    throw new ApiError('UNAUTHENTICATED', 'Answered on this machine only, or with METRICS_TOKEN as a bearer token.')
  }
  return { preParsing }
}

const isLocal = ({ headers, socket }: FastifyRequest): boolean =>
  isLoopbackAddress(socket.remoteAddress) && !cameThroughProxy(headers)

/** Measures this process and its connections to the database. */
export function measureProcess(
  registry: Registry,
  { pool, changeTurns }: Pick<Database, 'pool' | 'changeTurns'>,
): void {
  // Looked at a hundred times a second, the event loop's delay would be most of what a process at rest does.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections to the database and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      connections.set({ state: 'waiting' }, pool.waitingCount + changeTurns.waiting())
    },
  })
}

/** Measures requests. Labels hold route patterns, never addresses with ids in them. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { config, url = 'unknown' } = request.routeOptions
    // A stream's time says how long a tab was open.
    if (config.endless !== true || reply.statusCode !== 200)
      duration.observe({ method: request.method, route: url, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

/** Serves /metrics in Prometheus' format. */
export function serveMetrics(app: FastifyInstance, registry: Registry, guard: Guard): void {
  app.get('/metrics', { schema: { hide: true }, ...guard }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
