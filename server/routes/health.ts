import { eq, sql } from 'drizzle-orm'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import { MINUTE } from '../../src/domain/granularity'
import { withTimeLimit } from '../../src/domain/waits'
import type { AppDeps } from '../app-deps'
import type { Database } from '../db/open'
import { widgets } from '../db/schema/widgets'
import type { Guard } from '../plugins/operators-only'
import { withOwnerLock } from '../services/owners'
import { nodeTimer } from '../waits'
import { serve } from '../http/serve'

/** A probe that waits longer than this has its answer: not ready. */
const PROBE_TIMEOUT_MS = 3_000

type State = 'ok' | 'failed' | 'late'

/** An embedded database that answers no probe for this long comes back by a restart alone. Milliseconds. */
const DATABASE_SILENCE_LIMIT = 5 * MINUTE

const options = { schema: { hide: true } }

async function ask({ orm }: Database): Promise<State> {
  await orm.execute(sql`SELECT 1`)
  return 'ok'
}

/**
 * /healthz, for everybody: the process is up and not on its way to its end, and its embedded database has not been silent for
 * minutes. A balancer that asks sends nothing more before the listener closes: some send a body once only.
 */
export function serveHealth(
  app: FastifyInstance,
  { database, clock, isDraining }: Pick<AppDeps, 'database' | 'clock' | 'isDraining'>,
): void {
  /** When the database was first asked of all the times since its last answer; null: it has answered. */
  let silentSince: number | null = null
  let probing = false
  /** Not awaited by the answer, which supervisors expect at once: a long statement is no silence. */
  const probe = async (log: FastifyBaseLogger) => {
    if (probing) return
    probing = true
    silentSince ??= clock()
    try {
      await ask(database)
      silentSince = null
    } catch (error) {
      log.error({ err: error }, 'liveness probe failed')
    } finally {
      probing = false
    }
  }
  app.get('/healthz', options, (request, reply) => {
    // A PostgreSQL server that is away comes back without this process.
    if (database.engine === 'pglite') void probe(request.log)
    if (isDraining?.() === true) return reply.code(503).header('cache-control', 'no-store').send({ status: 'draining' })
    const isAlive = silentSince === null || clock() - silentSince < DATABASE_SILENCE_LIMIT
    return reply
      .code(isAlive ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isAlive ? 'ok' : 'failed' })
  })
}

export type ReadinessDeps = Pick<AppDeps, 'database' | 'jobs' | 'isDraining'>

/** /readyz, for operators: database and jobs answer, and the process is not on its way to its end. */
export function serveReadiness(
  app: FastifyInstance,
  { database, jobs, isDraining }: ReadinessDeps,
  guard: Guard,
): void {
  app.get('/readyz', { ...options, ...guard }, async (request, reply) => {
    if (isDraining?.() === true) return reply.code(503).header('cache-control', 'no-store').send({ status: 'draining' })
    const [databaseState, jobsState] = await Promise.all([
      check(request.log, () => ask(database)),
      check(request.log, async () => (jobs === undefined || (await jobs()).ok ? 'ok' : 'late')),
    ])
    const ready = databaseState === 'ok' && jobsState === 'ok'
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'failed', database: databaseState, jobs: jobsState })
  })
}

async function check(log: FastifyBaseLogger, probe: () => Promise<State>): Promise<State> {
  try {
    return await withTimeLimit(nodeTimer, PROBE_TIMEOUT_MS, probe(), () => 'failed')
  } catch (error) {
    log.error({ err: error }, 'readiness probe failed')
    return 'failed'
  }
}

/** Routes for tests; registered with ENABLE_TESTING_ROUTES, which production refuses. */
export function serveTesting(app: FastifyInstance, { database, clock }: AppDeps): void {
  serve(app, routes.resetUserState, async ({ caller }) => {
    await withOwnerLock(database, caller, clock(), async (tx, owner) => {
      await tx.delete(widgets).where(eq(widgets.owner_id, owner.id))
      tx.raise(owner.id, 'widgets')
    })
  })
}
