import type { Duplex } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { separateDatabase } from './support/test-database'

/** The stream that node-postgres has below a client; its types leave it out. */
interface WithStream {
  readonly connection: { readonly stream: Duplex }
}

test.each(['in use', 'idle'])(
  'a database connection that is lost while %s is logged once, and the next query works',
  async (state) => {
    const lines: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    const database = await separateDatabase(logger)
    try {
      const client = await database.pool.connect()
      if (state === 'idle') client.release()
      const lost = new Promise((resolve) => client.once('end', resolve))
      ;(client as unknown as WithStream).connection.stream.destroy(new Error('cable cut'))
      await lost
      if (state === 'in use') {
        await expect(client.query('SELECT 1')).rejects.toThrow()
        client.release()
      }
      expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      expect(lines.filter((line) => line.includes('cable cut'))).toHaveLength(1)
    } finally {
      await database.close()
    }
  },
)
