import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { pushHosts } from './adapters/push/push-hosts'
import { pushSender } from './adapters/push/push-sender'
import { buildApp } from './app'
import { backupJobs } from './backups/scheduled-backups'
import { type Database, openDatabase } from './db/open'
import type { Env } from './env'
import { housekeeping } from './jobs/housekeeping'
import { type Jobs, startJobs } from './jobs/periodic'
import { isLoopbackHost } from './loopback'
import type { ProgramFiles } from './program-files'
import type { Role } from './roles'
import { appointAdministrators } from './services/accounts/administrators'
import { adminJobs } from './services/admin/jobs'
import { alertMetrics } from './services/alerts/metrics'
import { choosePayments } from './services/billing/choose-payments'
import { billingJobs } from './services/billing/jobs'
import { chooseProvider } from './services/google/choose-provider'
import { chooseCarrier } from './services/mail/choose-carrier'
import { mailJobs, type MailWorker, startMailWorker } from './services/mail/worker'
import { createMarket } from './services/market/create'
import type { Market } from './services/market/market'
import { readPolicies } from './services/policies/policies'
import { pushMetrics } from './services/push/metrics'
import { sharedVapid } from './services/push/shared-vapid'
import { pushJobs, type PushWorker, startPushWorker } from './services/push/worker'
import { SANDBOX_MAIL } from './services/sandbox/mail-pages'
import { type Sandbox, sandboxOf } from './services/sandbox/sandbox'
import { accessTokenKey } from './services/sessions/token-key'
import { storageMetrics } from './services/storage/metrics'
import { applyLimits } from './services/widgets/apply-limits'

/** Longest time that requests and jobs get to end, milliseconds. */
const DRAIN = 25_000

interface Setup {
  readonly env: Env
  readonly role: Role
  readonly files: ProgramFiles
  readonly logger: Logger
}

/** Starts everything, says where it is to be found, and ends the process cleanly when told to. */
export async function runServer({ env, role, files, logger }: Setup): Promise<void> {
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
  const carrier = chooseCarrier({ env, sandbox, clock })
  const mails = role === 'web' ? null : await startMailWorker({ env, database, carrier, clock, logger })
  const sender = pushSender({ vapid, hosts: pushHosts(env.PUSH_ALLOWED_HOSTS), clock })
  const pushes = role === 'web' ? null : startPushWorker({ database, sender, clock, metrics: pushMetrics(metrics, database), logger }) // prettier-ignore

  let app: FastifyInstance | null = null
  if (role !== 'worker') {
    const google = chooseProvider({ env, sandbox, clock, logger })
    // Asked now, so that nobody waits for the answer later.
    void google?.authorizationUrl()
    app = await buildApp({ env, database, market, policies, google, payments, sandbox, vapid, tokenKey: accessTokenKey(env), clock, logger, metrics, client: files.client, ...(jobs && { jobs: jobs.report }) }) // prettier-ignore
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

/** Where a browser finds the app: PUBLIC_URL, with the port that was taken where PORT is 0. */
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

/** What is under way ends first; the database goes last, and with it the lock on its folder. */
async function shutDown({ app, jobs, mails, pushes, market, database }: Running): Promise<void> {
  await Promise.all([app?.close(), jobs?.stop(), mails?.stop(), pushes?.stop()])
  await market.stop()
  await database.close()
}

function endOnSignal(logger: Logger, end: () => Promise<void>): void {
  let ending = false
  const onSignal = (signal: NodeJS.Signals) => {
    // Whoever asks twice does not want to wait.
    if (ending) process.exit(1)
    ending = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error('requests or jobs did not end in time')
      process.exit(1)
    }, DRAIN).unref()
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
