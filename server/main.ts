import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { messageOf } from '../src/domain/error-message'
import { pushHosts, pushSender } from './adapters/push/push-sender'
import { isLoopbackHost } from './addresses'
import { buildApp } from './app'
import { backupJobs } from './backups/scheduled-backups'
import { type Database, openDatabase } from './db/open'
import { type Env, loadEnv } from './env'
import { housekeeping } from './jobs/housekeeping'
import { type Jobs, startJobs } from './jobs/periodic'
import { createLogger } from './logger'
import { keepPrivate } from './private-files'
import { filesBeside, type ProgramFiles } from './program-files'
import { appointAdministrators } from './services/admin/superusers'
import { adminJobs } from './services/admin/grants'
import { alertMetrics, pushMetrics } from './services/alerts/metrics'
import { billingJobs } from './services/billing/jobs'
import { choosePayments } from './services/billing/payment-provider'
import { chooseIdentityProvider } from './services/google/identify'
import { chooseTransport, mailJobs, type MailWorker, startMailWorker } from './services/mail/deliver'
import { createMarket, type Market } from './services/market/market'
import { readPolicies } from './services/policies/policies'
import { sharedVapid } from './services/push/vapid-keys'
import { pushJobs, type PushWorker, startPushWorker } from './services/push/deliver'
import { SANDBOX_MAIL } from './services/sandbox/pages'
import { type Sandbox, sandboxOf } from './services/sandbox/sandbox'
import { accessTokenKey } from './services/sessions/access-token'
import { storageMetrics } from './services/storage-figures'
import { applyLimits } from './services/widgets/arrange'

const ROLES = ['web', 'worker', 'all'] as const
/** The work of a process: answer requests, run periodic jobs, or both. Several may share one PostgreSQL. */
type Role = (typeof ROLES)[number]

/**
 * The role from the command line: `--role web` or `--role=web`; all without one.
 * @throws Error naming what is wrong
 */
function roleFrom(args: readonly string[]): Role {
  const [flag, value, ...rest] = args.flatMap((arg) => arg.split('='))
  if (flag === undefined) return 'all'
  const role = ROLES.find((role) => role === value)
  if (flag !== '--role' || role === undefined || rest.length > 0) {
    throw new Error(`Unknown arguments: ${args.join(' ')}. The only one is --role ${ROLES.join('|')}.`)
  }
  return role
}

/** Longest time that requests and jobs get to end, milliseconds. */
const DRAIN_TIMEOUT_MS = 25_000

interface Setup {
  readonly env: Env
  readonly role: Role
  readonly files: ProgramFiles
  readonly logger: Logger
}

/** Starts everything, says where it is to be found, and ends the process cleanly when told to. */
async function runServer({ env, role, files, logger }: Setup): Promise<void> {
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
  storageMetrics(metrics, database, env)
  await applyLimits(database, env)
  await appointAdministrators(database, env, clock())
  const market = await createMarket({ env, database, clock, metrics: alertMetrics(metrics), logger })
  await market.start()
  const payments = await choosePayments({ env, sandbox })
  const work = [
    ...housekeeping({ database, clock, logger }),
    ...mailJobs({ database, clock, logger }),
    ...pushJobs({ database, clock, logger }),
    ...billingJobs({ database, env, clock, payments, metrics, logger }),
    ...adminJobs({ database, env, clock, logger }),
    ...backupJobs({ env, files, clock }),
    ...market.jobs,
  ]
  const jobs = role === 'web' ? null : await startJobs({ database, clock, logger }, work)
  const transport = chooseTransport({ env, sandbox, clock })
  const mails = role === 'web' ? null : await startMailWorker({ env, database, transport, clock, logger })
  const sender = pushSender({ vapid, hosts: pushHosts(env.PUSH_ALLOWED_HOSTS), clock })
  const pushes =
    role === 'web'
      ? null
      : startPushWorker({ database, sender, clock, metrics: pushMetrics(metrics, database), logger })

  let app: FastifyInstance | null = null
  if (role !== 'worker') {
    const google = chooseIdentityProvider({ env, sandbox, clock, logger })
    // Asked now, so that nobody waits for the answer later.
    void google?.authorizationUrl()
    app = await buildApp({
      env,
      database,
      market,
      policies,
      google,
      payments,
      sandbox,
      vapid,
      tokenKey: accessTokenKey(env),
      clock,
      logger,
      metrics,
      client: files.client,
      ...(jobs && { jobs: jobs.report }),
    })
    await listen(app, env)
  }
  endOnSignal(logger, () => shutDown({ app, jobs, mails, pushes, market, database }))
  process.stdout.write(`${app === null ? 'Ready: running jobs.' : welcome(addressOf(app, env), sandbox)}\n`)
}

/** Said in one breath: whoever waits for the first line has the second, too. */
function welcome(address: string, sandbox: Sandbox | null): string {
  const mails = sandbox?.mails == null ? '' : `\nMails are not sent: read them at ${address}${SANDBOX_MAIL}`
  const billing =
    sandbox?.billing == null ? '' : '\nPayments are not real: checkout is a page of this server, and nothing is charged'
  return `Ready at ${address}${mails}${billing}`
}

async function listen(app: FastifyInstance, { HOST, PORT }: Env): Promise<void> {
  try {
    await app.listen({ host: HOST, port: PORT })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new Error(`PORT: ${PORT} is in use by another program.`, { cause: error })
    if (code === 'EACCES') throw new Error(`PORT: ${PORT} may not be used by this user.`, { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(`HOST: ${HOST} is not an address of this machine.`, { cause: error })
    }
    throw error
  }
}

/** The address of the app in a browser: PUBLIC_URL, with the port that was taken where PORT is 0. */
function addressOf(app: FastifyInstance, { HOST, PORT, PUBLIC_URL }: Env): string {
  const { port } = app.server.address() as AddressInfo
  if (PORT === 0 && isLoopbackHost(HOST)) return `http://localhost:${port}`
  return PUBLIC_URL
}

interface Running {
  readonly app: FastifyInstance | null
  readonly jobs: Jobs | null
  readonly mails: MailWorker | null
  readonly pushes: PushWorker | null
  readonly market: Market
  readonly database: Database
}

/** Work under way ends first; the database goes last, and with it the lock on its folder. */
async function shutDown({ app, jobs, mails, pushes, market, database }: Running): Promise<void> {
  await Promise.all([app?.close(), jobs?.stop(), mails?.stop(), pushes?.stop()])
  await market.stop()
  await database.close()
}

function endOnSignal(logger: Logger, end: () => Promise<void>): void {
  let ending = false
  const onSignal = (signal: NodeJS.Signals) => {
    // An operator who asks twice does not want to wait.
    if (ending) process.exit(1)
    ending = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error('requests or jobs did not end in time')
      process.exit(1)
    }, DRAIN_TIMEOUT_MS).unref()
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
  if (open.length > 0)
    logger.warn(
      { files: open.slice(0, 5), count: open.length },
      'other users of this machine may read files of DATA_DIR',
    )
  await runServer({ env, role, files: filesBeside(import.meta.url), logger })
} catch (error) {
  // For the operator who starts the server: the sentence, not the stack.
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}
