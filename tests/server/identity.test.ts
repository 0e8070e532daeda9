import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newGuest } from './support/guest'
import { withServer } from './support/for-file'

const written: string[] = []
const logger = pino({ level: 'trace' }, { write: (line) => void written.push(line) })
const server = withServer({ deps: { logger } })

test('the secret part of a guest’s anonymous id is neither in the database nor in the log', async () => {
  const me = server.guest()
  const widget = await me.add('bitcoin', 'ethereum')
  await me.saveCheckpoint(widget.id, 2)
  await me.update(widget.id, { high_threshold: 'wrong' })
  await server.app.inject({ url: '/api/v1/widgets', headers: { 'x-anonymous-user-id': `${me.id}!` } })
  const tables = ['owners', 'widgets', 'checkpoints', 'operations'].map(sql.identifier)
  const rows = await Promise.all(
    tables.map(async (table) => (await server.database.orm.execute(sql`SELECT * FROM ${table}`)).rows),
  )
  expect(rows.every((table) => table.length > 0)).toBe(true)
  const secret = me.id.split('-').slice(2).join('-')
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(written.length).toBeGreaterThan(0)
  expect(written.join('')).not.toContain(secret)
})

test('the widget list is answered with cache-control no-store', async () => {
  const answer = await server.app.inject({ url: '/api/v1/widgets', headers: { 'x-anonymous-user-id': newGuest() } })
  expect(answer.headers['cache-control']).toBe('no-store')
})
