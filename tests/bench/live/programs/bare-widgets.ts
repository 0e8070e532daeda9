// A Fastify server whose one handler answers GET /api/v1/widgets of a guest with the rows of our own statement, as they come: no
// limits, no headers, no log, no compression. It shows how many requests the statement itself allows on this machine.
import { drizzle } from 'drizzle-orm/node-postgres'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { Pool, type QueryConfig } from 'pg'
import { hashOfSecret } from '../../../../server/services/secrets'
import { ownWidgets } from '../../../../server/services/widgets/own-widgets'

// As many connections, and set up as ours are.
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c jit=off' })

/** The statements that our server gives its pool, with their names. */
async function ownStatements(): Promise<readonly [revision: QueryConfig, list: QueryConfig]> {
  const given: QueryConfig[] = []
  const query = async (statement: QueryConfig) => {
    given.push(statement)
    return { rows: [] }
  }
  const own = ownWidgets({ orm: drizzle(pool), pool: { query } as unknown as Pool })
  const nobody = { kind: 'guest', anonymousHash: '' } as const
  await own.revision(nobody)
  await own.list(nobody)
  const [revision, list] = given
  if (revision === undefined || list === undefined) throw new Error('Our server asks otherwise')
  return [revision, list]
}

const [REVISION, LIST] = await ownStatements()

async function answer({ headers }: FastifyRequest, reply: FastifyReply) {
  const values = [[hashOfSecret(String(headers['x-anonymous-user-id']))]]
  const tag = headers['if-none-match']
  if (tag !== undefined) {
    const { rows } = await pool.query<string[]>({ ...REVISION, values } as never)
    if (tag === `W/"${rows[0]?.[3]}"`) return reply.header('etag', tag).code(304).send()
  }
  return (await pool.query<unknown[]>({ ...LIST, values } as never)).rows
}

const app = Fastify().route({ method: 'GET', url: '/api/v1/widgets', handler: answer })
console.log(`Ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
