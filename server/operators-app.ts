import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import type { AppDeps } from './app-deps'
import { answerErrors } from './plugins/errors'
import { serveMetrics } from './plugins/operators-only'
import { type ReadinessDeps, serveHealth, serveReadiness } from './routes/health'

/**
 * Builds the server of METRICS_PORT, of a process of either role: it answers /healthz, /readyz and /metrics to all who reach
 * that port. It neither listens nor owns what it is given.
 */
export function buildOperatorsApp(
  deps: ReadinessDeps & Pick<AppDeps, 'clock' | 'logger'> & { readonly metrics: Registry },
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    requestTimeout: 30_000,
    logController: new LogController({ disableRequestLogging: true }),
  })
  answerErrors(app)
  // A supervisor asks here, not a balancer: a process on its way to its end is alive.
  serveHealth(app, { database: deps.database, clock: deps.clock })
  serveReadiness(app, deps, {})
  serveMetrics(app, deps.metrics, {})
  return app
}
