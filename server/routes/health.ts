import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AppParts } from '../app-parts'
import { operatorsOnly } from '../plugins/operators-only'

/** A probe that waits longer than this has its answer: not ready. Milliseconds. */
const PATIENCE = 3_000

type State = 'ok' | 'failed' | 'late'

/** /healthz, for everybody: the process is up. /readyz, for operators: database and jobs answer. */
export function healthRoutes(app: FastifyInstance, { env, database, jobs }: AppParts): void {
  const options = { schema: { hide: true } }

  app.get('/healthz', options, (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  app.get('/readyz', { ...options, preParsing: operatorsOnly(env) }, async (request, reply) => {
    const [databaseState, jobsState] = await Promise.all([
      check(request.log, async () => {
        await database.orm.execute(sql`SELECT 1`)
        return 'ok'
      }),
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
