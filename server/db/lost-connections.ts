import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'

/**
 * Logs each connection that is lost (the database was restarted, or ended it); the pool makes another at need. Who was
 * using it is told by the query that fails, but node-postgres emits an error besides, and one that nobody listens to
 * ends the process: the pool listens to idle connections only.
 */
export function reportLostConnections(pool: Pool, logger: FastifyBaseLogger | undefined): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger?.warn({ err: error }, 'a connection to the database was lost'))
  })
  // An idle connection's error comes here too, and was logged above.
  pool.on('error', () => undefined)
}
