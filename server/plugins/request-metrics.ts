import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AppDeps } from '../app-deps'
import { operatorsOnly } from './operators-only'

/** Serves operators /metrics in Prometheus' format. Labels hold route patterns, never addresses with ids in them. */
export function measureRequests(
  app: FastifyInstance,
  { env, database, metrics: registry = new Registry() }: Pick<AppDeps, 'env' | 'database' | 'metrics'>,
): void {
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections to the database and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      connections.set({ state: 'idle' }, database.pool.idleCount)
      connections.set({ state: 'busy' }, database.pool.totalCount - database.pool.idleCount)
      connections.set({ state: 'waiting' }, database.pool.waitingCount)
    },
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true }, preParsing: operatorsOnly(env) }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
