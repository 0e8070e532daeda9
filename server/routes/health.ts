import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { MINUTE } from '../../src/domain/granularity'
import type { AppParts } from '../app-parts'
import { operatorsOnly } from '../plugins/operators-only'

/** A probe that waits longer than this has its answer: not ready. Milliseconds. */
const PATIENCE = 3_000

type State = 'ok' | 'failed' | 'late'

/** An embedded database that answers no probe for this long comes back by a restart alone. Milliseconds. */
const SILENCE = 5 * MINUTE

/**
 * /healthz, for everybody: the process is up, and its embedded database has not been silent for minutes. /readyz, for
 * operators: database and jobs answer.
 */
export function healthRoutes(app: FastifyInstance, { env, database, jobs, clock }: AppParts): void {
  const options = { schema: { hide: true } }
  const askDatabase = async (): Promise<State> => {
    await database.orm.execute(sql`SELECT 1`)
    return 'ok'
  }

  /** When the database was first asked of all the times since its last answer; null: it has answered. */
  let silentSince: number | null = null
  let probing = false
  /** Not awaited by the answer, which supervisors expect at once: a long statement is no silence. */
  const probe = async (log: FastifyBaseLogger) => {
    if (probing) return
    probing = true
    silentSince ??= clock()
    try {
      await askDatabase()
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
    const isAlive = silentSince === null || clock() - silentSince < SILENCE
    return reply
      .code(isAlive ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isAlive ? 'ok' : 'failed' })
  })

  app.get('/readyz', { ...options, preParsing: operatorsOnly(env) }, async (request, reply) => {
    const [databaseState, jobsState] = await Promise.all([
      check(request.log, askDatabase),
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
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<State>((resolve) => {
    timer = setTimeout(() => resolve('failed'), PATIENCE)
  })
  try {
    return await Promise.race([probe(), tooLate])
  } catch (error) {
    log.error({ err: error }, 'readiness probe failed')
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
