/** @module-tag both-engines */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Registry } from 'prom-client'
import { MINUTE } from '../../src/domain/granularity'
import { buildOperatorsApp } from '../../server/operators-app'
import { measureProcess } from '../../server/plugins/operators-only'
import type { JobsReport } from '../../server/jobs/periodic'
import { separateDatabase, type TestDatabase } from './support/test-database'
import { testApp, type TestApp } from './support/test-app'

let database: TestDatabase
let server: TestApp
let report: () => Promise<JobsReport> = async () => ({ ok: true, late: [] })
beforeAll(async () => {
  database = await separateDatabase()
  server = await testApp({ database, deps: { jobs: () => report() } })
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

test('readyz answers 503 and every answer closes its connection once the server is on its way to its end', async () => {
  let isDraining = false
  const leaving = await testApp({ database, deps: { isDraining: () => isDraining } })
  expect((await leaving.app.inject('/readyz')).statusCode).toBe(200)
  isDraining = true
  for (const probe of ['/readyz', '/healthz']) {
    const answer = await leaving.app.inject(probe)
    expect([answer.statusCode, answer.json<unknown>()]).toEqual([503, { status: 'draining' }])
  }
  const served = await leaving.app.inject('/api/v1/policies/current')
  expect([served.statusCode, served.headers['connection']]).toEqual([200, 'close'])
  await leaving.app.close()
})

test('without its database a server is not ready; healthz fails after five minutes without an embedded one, and not without PostgreSQL', async () => {
  const health = async () => {
    const answer = await server.app.inject('/healthz')
    return [answer.statusCode, answer.json<unknown>()]
  }
  const alive = [200, { status: 'ok' }]
  expect(await health()).toEqual(alive)
  await database.close()
  expect(await ready()).toEqual([503, { status: 'failed', database: 'failed', jobs: 'ok' }])
  expect(await health()).toEqual(alive)
  server.clock.advance(5 * MINUTE - 1)
  expect(await health()).toEqual(alive)
  server.clock.advance(1)
  expect(await health()).toEqual(database.engine === 'pglite' ? [503, { status: 'failed' }] : alive)
})

test('with METRICS_PORT the public port answers /healthz alone, and that port /healthz, /readyz and /metrics to all who reach it', async () => {
  const asked = await testApp({ env: { METRICS_PORT: '0' } })
  const metrics = new Registry()
  measureProcess(metrics, asked.database)
  let isDraining = false
  const operators = buildOperatorsApp({ ...asked, metrics, isDraining: () => isDraining })
  const ask = async (of: Pick<TestApp['app'], 'inject'>) => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const answers = ['/healthz', '/readyz', '/metrics'].map((url) =>
      of.inject({ url, remoteAddress: '10.0.0.8', headers }),
    )
    return (await Promise.all(answers)).map(({ statusCode, payload }) => ({ statusCode, payload }))
  }
  const statuses = async (of: Pick<TestApp['app'], 'inject'>) => (await ask(of)).map(({ statusCode }) => statusCode)
  expect(await statuses(asked.app)).toEqual([200, 404, 404])
  expect(await statuses(operators)).toEqual([200, 200, 200])
  expect((await ask(operators))[2]!.payload).toContain('database_connections{state="idle"}')
  isDraining = true
  expect(await statuses(operators)).toEqual([200, 503, 200])
  await operators.close()
  await asked.close()
})

describe('who may read /metrics and /readyz', () => {
  const TOKEN = 'a-token-of-operators'
  let app: TestApp
  let withToken: TestApp
  beforeAll(async () => {
    app = await testApp()
    withToken = await testApp({ env: { METRICS_TOKEN: TOKEN } })
  })
  afterAll(() => Promise.all([app.close(), withToken.close()]))
  const ask = async ({ app }: TestApp, remoteAddress: string, headers: Record<string, string> = {}) => {
    const statuses = []
    for (const url of ['/metrics', '/readyz'])
      statuses.push((await app.inject({ url, remoteAddress, headers })).statusCode)
    return statuses
  }

  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    '/metrics and /readyz answer a program on this machine, from %s',
    async (address) => {
      expect(await ask(app, address)).toEqual([200, 200])
      expect(await ask(withToken, address)).toEqual([200, 200])
    },
  )

  test.each(['198.51.100.7', '10.0.0.8', '2001:db8::1', '::ffff:198.51.100.7'])(
    '/metrics and /readyz answer 401 to another machine, from %s, and /healthz answers 200',
    async (address) => {
      expect(await ask(app, address)).toEqual([401, 401])
      expect((await app.app.inject({ url: '/healthz', remoteAddress: address })).statusCode).toBe(200)
    },
  )

  test.each([
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '203.0.113.9' },
    { via: '1.1 proxy' },
    { 'cf-connecting-ip': '203.0.113.9' },
  ])('/metrics and /readyz answer 401 to what a proxy on this machine passes on with %o', async (headers) => {
    expect(await ask(app, '127.0.0.1', headers)).toEqual([401, 401])
  })

  test('/metrics and /readyz answer another machine that shows METRICS_TOKEN, and 401 to any other token', async () => {
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    expect(await ask(withToken, '198.51.100.7', bearer(TOKEN))).toEqual([200, 200])
    for (const wrong of [`${TOKEN}x`, TOKEN.slice(1), 'undefined', '']) {
      expect(await ask(withToken, '198.51.100.7', bearer(wrong)), wrong).toEqual([401, 401])
    }
    expect(await ask(app, '198.51.100.7', bearer('undefined'))).toEqual([401, 401])
  })
})
