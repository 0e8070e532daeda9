import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { AppParts } from './app-parts'
import { noteAddresses } from './asked-from'
import { answerBrokenRequest } from './plugins/broken-requests'
import { serveClient } from './plugins/client-files'
import { answerErrors, sendError } from './plugins/errors'
import { readJsonBodies } from './plugins/json-body'
import { describeApi } from './plugins/openapi'
import { identifyCallers } from './plugins/identity'
import { limitRates } from './plugins/rate-limits'
import { measureRequests } from './plugins/request-metrics'
import { sendSecurityHeaders } from './plugins/security-headers'
import { adminRoutes } from './routes/admin'
import { alertRoutes } from './routes/alerts'
import { authRoutes } from './routes/auth'
import { billingWebhook } from './routes/billing-webhook'
import { checkpointRoutes } from './routes/checkpoints'
import { coinRoutes } from './routes/coins'
import { feedbackRoutes } from './routes/feedback'
import { googleRoutes } from './routes/google'
import { healthRoutes } from './routes/health'
import { myDataRoutes } from './routes/my-data'
import { passkeyRoutes } from './routes/passkeys'
import { policyRoutes } from './routes/policies'
import { pushRoutes } from './routes/push'
import { sandboxRoutes } from './routes/sandbox'
import { settingsRoutes } from './routes/settings'
import { simplePriceRoute } from './routes/simple-price'
import { subscriptionRoutes } from './routes/subscriptions'
import { testingRoutes } from './routes/testing'
import { deviceRoutes } from './routes/devices'
import { userRoutes } from './routes/users'
import { wellKnownRoutes } from './routes/well-known'
import { widgetRoutes } from './routes/widgets'

/** Builds the server: API and app. It neither listens nor owns what it is given. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(parts.logger === undefined ? { logger: false } : { loggerInstance: parts.logger }),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    // Milliseconds: for a request to arrive, for an answer to be made, for a quiet connection.
    requestTimeout: 30_000,
    handlerTimeout: 20_000,
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 256 },
    // Only proxies that are named may say for whom they ask; anybody else could say anything.
    trustProxy: [...parts.env.TRUSTED_PROXIES],
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
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // A connection that were kept open would keep the process from ending.
    if (closing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request
    // Without what follows the path: codes of sign-ins and tokens of mails' links are there.
    const [path] = url.split('?', 1)
    request.log.debug({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  })

  await sendSecurityHeaders(app, parts.env, parts.client)
  await app.register(compress, {
    threshold: 1024,
    globalDecompression: false,
    // Of answers that are made for one request: as quick as gzip's default level, and smaller.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
  })
  await limitRates(app, parts)
  identifyCallers(app, parts)
  noteAddresses(app)
  await describeApi(app)

  measureRequests(app, parts)
  healthRoutes(app, parts)
  settingsRoutes(app, parts)
  policyRoutes(app, parts)
  wellKnownRoutes(app, parts)
  await authRoutes(app, parts)
  googleRoutes(app, parts)
  passkeyRoutes(app, parts)
  userRoutes(app, parts)
  deviceRoutes(app, parts)
  widgetRoutes(app, parts)
  alertRoutes(app, parts)
  checkpointRoutes(app, parts)
  coinRoutes(app, parts)
  simplePriceRoute(app, parts)
  feedbackRoutes(app, parts)
  myDataRoutes(app, parts)
  pushRoutes(app, parts)
  subscriptionRoutes(app, parts)
  await billingWebhook(app, parts)
  adminRoutes(app, parts)
  if (parts.env.ENABLE_TESTING_ROUTES) testingRoutes(app, parts)
  if (parts.sandbox !== null) await sandboxRoutes(app, parts.sandbox)
  await serveClient(app, parts.client)
  return app
}
