import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { exchangeThreads } from '../adapters/market-stream/exchange-thread'
import { pushHosts } from '../adapters/push/push-hosts'
import { pushSender } from '../adapters/push/push-sender'
import { isLoopbackHost } from '../http/addresses'
import { buildApp } from '../app'
import type { AppDeps } from '../app-deps'
import { backupJobs } from '../backups/scheduled-backups'
import { openDatabase } from '../db/open'
import { type Env, loadEnv } from '../env'
import { housekeeping } from '../jobs/housekeeping'
import { startJobs } from '../jobs/periodic'
import { buildOperatorsApp } from '../operators-app'
import { measureProcess } from '../plugins/operators-only'
import { listen } from './listen'
import { createLogger } from '../logger'
import { keepPrivate } from '../private-files'
import { filesBeside, type ProgramFiles } from '../program-files'
import { operatorSentence, type Role, roleFrom } from './command-line'
import { appointAdministrators } from '../services/admin/superusers'
import { adminJobs } from '../services/admin/grants'
import { tellOperatorsJob } from '../services/admin/tell-operators'
import { alertMetrics, deliveryCounter, pushMetrics } from '../services/alerts/metrics'
import { billingJobs } from '../services/billing/jobs'
import { choosePayments } from '../services/billing/payment-provider'
import { chooseIdentityProvider } from '../services/google/sign-in'
import { startChannelWorker } from '../services/channels/channel-worker'
import { telegramJob } from '../services/channels/link-chats'
import { channelSender } from '../services/channels/send'
import { createLive, type Live } from '../services/live/live'
import { liveMetrics } from '../services/live/metrics'
import { startRelay } from '../services/live/relay'
import { chooseTransport } from '../services/mail/choose-transport'
import { startMailWorker } from '../services/mail/mail-worker'
import { createMarket, type RunningMarket } from '../services/market/market'
import { readPolicies } from '../services/policies/policies'
import { readClock } from '../services/removal-job'
import { sharedVapid } from '../services/push/vapid-keys'
import { silentDevicesJob } from '../services/push/silent-devices'
import { startPushWorker } from '../services/push/push-worker'
import { SANDBOX_MAIL } from '../services/sandbox/pages'
import { type Sandbox, sandboxOf } from '../services/sandbox/sandbox'
import { accessTokenKey } from '../services/sessions/access-token'
import { guestMetrics } from '../services/guest-metrics'
import { operationMetrics } from '../services/operation-metrics'
import { storageMetrics } from '../services/storage-figures'
import { applyLimits, limitsJob } from '../services/widgets/arrange'

/** Longest time that requests and jobs get to end once the listener is closed, milliseconds. */
const DRAIN_TIMEOUT_MS = 25_000

/** Parts of both kinds of processes. */
type Shared = Pick<AppDeps, 'env' | 'database' | 'clock' | 'payments' | 'sandbox' | 'vapid' | 'ways'> & {
  readonly logger: Logger
  readonly metrics: Registry
  readonly market: RunningMarket
}

/** Starts the periodic jobs, and the workers that send mails and pushes. */
async function startWork(shared: Shared, files: ProgramFiles) {
  const { env, database, clock, logger, sandbox, vapid, metrics, market, ways } = shared
  const removing = { ...shared, source: market.source }
  const count = deliveryCounter(metrics)
  const mails = await startMailWorker({ ...shared, count, transport: chooseTransport(env, clock, sandbox?.mails) })
  const jobs = await startJobs(shared, [
    ...housekeeping(removing),
    limitsJob(shared),
    silentDevicesJob(shared),
    ...billingJobs(shared),
    ...adminJobs(removing),
    ...backupJobs({ ...shared, files, mayRemove: async () => (await readClock(removing)) !== null }),
    ...(ways.bot === null ? [] : [telegramJob({ ...shared, bot: ways.bot })]),
    ...market.jobs,
    mails.watch,
    tellOperatorsJob(shared),
  ])
  const sender = pushSender({ vapid, hosts: pushHosts(env.PUSH_ALLOWED_HOSTS), clock })
  const channels = startChannelWorker({ ...shared, count, sender: ways })
  const pushes = startPushWorker({
    ...shared,
    sender,
    metrics: pushMetrics(metrics, database, count, logger),
    fannedOut: channels.notify,
  })
  const all = [jobs, mails, pushes, channels]
  return {
    report: jobs.report,
    stop: async (): Promise<void> => void (await Promise.all(all.map((one) => one.stop()))),
  }
}

/** Answers requests, and keeps streams. */
async function serveRequests(
  shared: Shared,
  files: ProgramFiles,
  others: Pick<AppDeps, 'policies' | 'isDraining' | 'jobs'>,
): Promise<{ readonly app: FastifyInstance; readonly live: Live }> {
  const { env, metrics } = shared
  const google = chooseIdentityProvider({ ...shared, sandbox: shared.sandbox?.google?.provider })
  // Asked now, so that nobody waits for the answer later.
  void google?.authorizationUrl()
  const live = createLive({ ...shared, policies: others.policies })
  liveMetrics(metrics, live)
  const parts = { google, live, tokenKey: accessTokenKey(env), client: files.client }
  const app = await buildApp({ ...shared, ...parts, ...others })
  await listen(app, { host: env.HOST, port: env.PORT, variables: ['HOST', 'PORT'] })
  return { app, live }
}

/** Answers operators at METRICS_PORT, where it is set. */
async function serveOperators(
  shared: Shared,
  others: Pick<AppDeps, 'isDraining' | 'jobs'>,
): Promise<FastifyInstance | null> {
  const address = shared.env.METRICS_PORT
  if (address === undefined) return null
  const app = buildOperatorsApp({ ...shared, ...others })
  await listen(app, { ...address, variables: ['METRICS_PORT', 'METRICS_PORT'] })
  return app
}

/** Starts everything, prints the address, and ends the process cleanly on a signal. */
async function runServer(env: Env, role: Role, files: ProgramFiles, logger: Logger): Promise<void> {
  const clock = Date.now
  const metrics = new Registry()
  const policies = readPolicies(files.policies)
  const sandbox = sandboxOf(env, clock)
  const database = await openDatabase(env, files, { logger })
  void database.failed.then((error) => {
    logger.fatal({ err: error }, 'the database is lost')
    process.exit(1)
  })
  const vapid = await sharedVapid(env, database, logger)
  measureProcess(metrics, database)
  storageMetrics(metrics, database, env, logger)
  guestMetrics(metrics, database, env, clock, logger)
  await applyLimits(database, env, clock())
  const waiting = await appointAdministrators(database, env, clock())
  if (waiting > 0) {
    logger.warn(
      { accounts: waiting },
      'ADMIN_EMAILS names accounts that get no rights before they set a password by mail',
    )
  }
  const openFeed =
    env.MARKET_STREAM === 'none' ? undefined : exchangeThreads(files.exchangeWorker, env.MARKET_STREAM_URL)
  const market = await createMarket({ env, database, clock, logger, metrics: alertMetrics(metrics), openFeed })
  operationMetrics(metrics, { env, database, market, clock, logger })
  await market.start()
  const payments = await choosePayments(env, sandbox?.billing?.payments)
  const ways = channelSender(env, { clock })
  const shared: Shared = { env, database, clock, logger, metrics, market, payments, sandbox, vapid, ways }

  const work = role === 'web' ? null : await startWork(shared, files)
  let isDraining = false
  const others = { policies, isDraining: () => isDraining, ...(work && { jobs: work.report }) }
  const web = role === 'worker' ? null : await serveRequests(shared, files, others)
  const operators = await serveOperators(shared, others)
  const relay = startRelay({ database, live: web?.live ?? null, logger })
  const grace = web === null ? 0 : env.SHUTDOWN_GRACE_SECONDS * 1000
  // Balancers learn first that nothing more is to be sent here, and streams go elsewhere; then the listener closes. Work under
  // way ends, and the database goes last, with the lock on its folder.
  endOnSignal(logger, grace + DRAIN_TIMEOUT_MS, async () => {
    isDraining = true
    web?.live.end()
    const closeApp = async () => {
      if (grace > 0) await delay(grace)
      await web?.app.close()
    }
    await Promise.all([closeApp(), work?.stop()])
    await operators?.close()
    ways.close()
    await relay.stop()
    await market.stop()
    await database.close()
  })
  const lines = web === null ? ['Ready: running jobs.'] : welcome(addressOf(web.app, env), sandbox)
  if (operators !== null) lines.push(`Metrics at ${operators.listeningOrigin}/metrics`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Written at once, so that a program that waits for the first line has the others, too. */
function welcome(address: string, sandbox: Sandbox | null): string[] {
  return [
    `Ready at ${address}`,
    ...(sandbox?.mails == null ? [] : [`Mails are not sent: read them at ${address}${SANDBOX_MAIL}`]),
    ...(sandbox?.billing == null
      ? []
      : ['Payments are not real: checkout is a page of this server, and nothing is charged']),
  ]
}

/** The address of the app in a browser: PUBLIC_URL, with the port that was taken where PORT is 0. */
function addressOf(app: FastifyInstance, { HOST, PORT, PUBLIC_URL }: Env): string {
  const { port } = app.server.address() as AddressInfo
  if (PORT === 0 && isLoopbackHost(HOST)) return `http://localhost:${port}`
  return PUBLIC_URL
}

/** @param timeout milliseconds after which the process ends all the same */
function endOnSignal(logger: Logger, timeout: number, end: () => Promise<void>): void {
  let ending = false
  const onSignal = (signal: NodeJS.Signals) => {
    // An operator who asks twice does not want to wait.
    if (ending) process.exit(1)
    ending = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error('requests or jobs did not end in time')
      process.exit(1)
    }, timeout).unref()
    end().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

try {
  const role = roleFrom(process.argv.slice(2))
  const env = loadEnv()
  const logger = createLogger(env)
  const open = keepPrivate(env.DATA_DIR)
  const left = { files: open.slice(0, 5), count: open.length }
  if (open.length > 0) logger.warn(left, 'other users of this machine may read files of DATA_DIR')
  await runServer(env, role, filesBeside(import.meta.url), logger)
} catch (error) {
  // For the operator who starts the server: the sentence, not the stack.
  process.stderr.write(`${operatorSentence(error)}\n`)
  process.exit(1)
}
