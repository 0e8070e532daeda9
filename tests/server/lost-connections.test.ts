import type { Duplex } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { separateDatabase } from './support/test-database'
import { forFile } from './support/for-file'

/** The stream that node-postgres has below a client; its types leave it out. */
interface WithStream {
  readonly connection: { readonly stream: Duplex }
}

const lines: string[] = []
const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
const database = forFile(
  () => separateDatabase(logger),
  (one) => one.close(),
)

test.each(['in use', 'idle'])('a connection lost while %s is logged once, and the next query works', async (state) => {
  const cut = `cable cut while ${state}`
  const client = await database.pool.connect()
  if (state === 'idle') client.release()
  const lost = new Promise((resolve) => client.once('end', resolve))
  ;(client as unknown as WithStream).connection.stream.destroy(new Error(cut))
  await lost
  if (state === 'in use') {
    await expect(client.query('SELECT 1')).rejects.toThrow()
    client.release()
  }
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  expect(lines.filter((line) => line.includes(cut))).toHaveLength(1)
})
