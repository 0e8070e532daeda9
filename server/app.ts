import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { noteRequestOrigins } from './http/addresses'
import { ApiError } from './http/api-error'
import type { AppDeps } from './app-deps'
import { serveClient } from './plugins/client-files'
import { sendSecurityHeaders } from './plugins/security-headers'
import { answerBrokenRequest, answerErrors, sendError } from './plugins/errors'
import { identifyCallers } from './plugins/identity'
import { describeApi } from './plugins/openapi'
import { refuseForeignHosts } from './plugins/own-hosts'
import { limitRates } from './plugins/rate-limits'
import { takeTurnsByNetwork } from './plugins/turns'
import { compressAnswers } from './plugins/compression'
import { measureRequests, operatorsOnly, serveMetrics } from './plugins/operators-only'
import { serveAdmin, serveUsers } from './routes/users'
import { serveAlerts, serveCheckpoints, serveRules, serveWidgets } from './routes/widgets'
import { serveAuth } from './routes/auth'
import { billingWebhook, serveSubscriptions } from './routes/billing'
import { serveChannels } from './routes/channels'
import { serveCoins } from './routes/coins'
import { serveHealth, serveReadiness, serveTesting } from './routes/health'
import { servePolicies, serveSettings, serveWellKnown } from './routes/public-info'
import { serveSandbox } from './routes/sandbox'
import { serveStream } from './routes/stream'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Bodies are JSON in UTF-8 and nothing else. Fastify's own parser would put U+FFFD in place of wrong bytes; keys that
 * reach for prototypes are refused as it does. An empty body counts as none, since browsers and proxies send
 * DELETE with a content type.
 */
function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(new ApiError('VALIDATION_ERROR', 'The body is not valid UTF-8.'))
    }
    return parse(request, text, (error: Error | null, value?: unknown) => {
      if (error === null) done(null, value)
      else done(new ApiError('VALIDATION_ERROR', 'The body is not valid JSON.'))
    })
  })
}

/** Names each answer's request, logs it, and lets connections go once the process is on its way to its end. */
function observeAnswers(app: FastifyInstance, { live, isDraining }: AppDeps): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    // A stream that went on would keep the listener open.
    live.end()
  })
  // Hooks of every request call `done`: an async function costs each a promise and a turn of the event loop.
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    // A connection that were kept open would keep the process from ending.
    if (closing || isDraining?.() === true) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request
    // Without what follows the path: codes of sign-ins and tokens of mails' links are there.
    const [path] = url.split('?', 1)
    request.log.debug({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
    done()
  })
}

/** With METRICS_PORT balancers alone are answered here; operators ask there. */
function serveMonitoring(app: FastifyInstance, deps: AppDeps): void {
  const registry = deps.metrics ?? new Registry()
  measureRequests(app, registry)
  serveHealth(app, deps)
  if (deps.env.METRICS_PORT !== undefined) return
  const guard = operatorsOnly(deps.env)
  serveReadiness(app, deps, guard)
  serveMetrics(app, registry, guard)
}

/** Builds the server: API and app. It neither listens nor owns what it is given. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    // Milliseconds: for a request to arrive, for an answer to be made, for a quiet connection.
    requestTimeout: 30_000,
    handlerTimeout: 20_000,
    keepAliveTimeout: 75_000,
    // A proxy may send one more request on a connection that it kept open: it is answered, as all before the listener closes.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    // Only proxies that are named may say for whom they ask; anybody else could say anything.
    trustProxy: [...deps.env.TRUSTED_PROXIES],
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply)
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  answerErrors(app)
  readJsonBodies(app)
  observeAnswers(app, deps)

  await sendSecurityHeaders(app, deps.env, deps.client)
  refuseForeignHosts(app, deps.env)
  await compressAnswers(app)
  limitRates(app, deps)
  identifyCallers(app, deps)
  noteRequestOrigins(app, deps.env.RATE_LIMIT_FACTOR)
  takeTurnsByNetwork(app)
  await describeApi(app)

  serveMonitoring(app, deps)
  const readSettings = serveSettings(app, deps)
  servePolicies(app, deps)
  serveWellKnown(app, deps)
  await serveAuth(app, deps)
  serveUsers(app, deps)
  serveWidgets(app, deps)
  serveAlerts(app, deps)
  await serveChannels(app, deps)
  serveCheckpoints(app, deps)
  serveRules(app, deps)
  serveCoins(app, deps)
  serveStream(app, deps, readSettings)
  serveSubscriptions(app, deps)
  await billingWebhook(app, deps)
  serveAdmin(app, deps)
  if (deps.env.ENABLE_TESTING_ROUTES) serveTesting(app, deps)
  if (deps.sandbox !== null) await serveSandbox(app, deps.sandbox)
  await serveClient(app, deps.client)
  return app
}
