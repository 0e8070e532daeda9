import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobsReport } from '../../server/jobs/periodic'
import { separateDatabase, type TestDatabase } from './support/test-database'
import { testApp, type TestApp } from './support/test-app'

let database: TestDatabase
let server: TestApp
let report: () => Promise<JobsReport> = async () => ({ ok: true, late: [] })
beforeAll(async () => {
  database = await separateDatabase()
  server = await testApp({ database, parts: { jobs: () => report() } })
})
afterAll(() => server.close())

const ready = async () => {
  const answer = await server.app.inject('/readyz')
  return [answer.statusCode, answer.json<unknown>()]
}

test('readyz answers 200 while database and jobs work, and 503 while jobs are late or cannot report', async () => {
  expect(await ready()).toEqual([200, { status: 'ok', database: 'ok', jobs: 'ok' }])
  report = async () => ({ ok: false, late: ['vacuum'] })
  expect(await ready()).toEqual([503, { status: 'failed', database: 'ok', jobs: 'late' }])
  report = () => Promise.reject(new Error('gone'))
  expect(await ready()).toEqual([503, { status: 'failed', database: 'ok', jobs: 'failed' }])
  report = async () => ({ ok: true, late: [] })
})

test('a server process without its database is alive by healthz and not ready by readyz', async () => {
  await database.close()
  expect(await ready()).toEqual([503, { status: 'failed', database: 'failed', jobs: 'ok' }])
  expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
})
