import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { isOutOfReach, noteOutOfReach } from '../../server/db/out-of-reach'
import { type Database, openDatabase } from '../../server/db/open'
import { ServerPool } from '../../server/db/server-pool'
import { createLogger } from '../../server/logger'
import { cutLine, type CutLine } from './support/cut-line'
import { databaseOnServer, onServer } from './support/database-on-server'
import { testProgramFiles } from './support/program-files'
import { testApp, type TestApp } from './support/test-app'
import { asTestDatabase } from './support/test-database'

const url = process.env['TEST_DATABASE_URL'] ?? ''

test.each([
  ['a server that stops, where Drizzle wraps the error', '57P01', true],
  ['a server that takes no further connection', '53300', true],
  ['a server that has become a standby', '25006', true],
  ['a row that is there already', '23505', false],
  ['a statement that took too long', '57014', false],
])('%s says of the database whether it can be reached', (_what, code, expected) => {
  const cause = Object.assign(new Error('said by PostgreSQL'), { severity: 'ERROR', code })
  expect(isOutOfReach(new Error('Failed query', { cause }))).toBe(expected)
})

test('what a process logs of a database out of reach is one line at once, and one a minute with how often each was', () => {
  vi.useFakeTimers()
  try {
    const lines: Record<string, unknown>[] = []
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
    const logger = createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'info' }, { write })
    const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const say = (message: string) => logger.child({ reqId: message }).error({ err: noteOutOfReach(refused()) }, message)
    say('request failed')
    for (let n = 0; n < 40; n++) say('request failed')
    say('job could not be claimed')
    logger.error({ err: refused() }, 'mail could not be sent yet')
    vi.advanceTimersByTime(60_000)
    vi.advanceTimersByTime(60_000)
    say('request failed')
    expect(lines.map(({ msg, failure, times, failures }) => [msg, failure ?? times, failures])).toEqual([
      ['the database cannot be reached', 'request failed', undefined],
      ['mail could not be sent yet', undefined, undefined],
      [
        'the database could not be reached in the past minute',
        41,
        { 'request failed': 40, 'job could not be claimed': 1 },
      ],
      ['the database cannot be reached', 'request failed', undefined],
    ])
  } finally {
    vi.useRealTimers()
  }
})

describe.skipIf(url === '')('a server whose PostgreSQL is out of reach', () => {
  let line: CutLine
  let database: Database
  let server: TestApp
  let drop: () => Promise<void>
  let name: string
  const logged: string[] = []
  beforeAll(async () => {
    const made = await databaseOnServer(url, inject('templateDatabase'))
    ;({ drop, name } = made)
    line = await cutLine(made.url)
    const logger = pino({ level: 'warn' }, { write: (text) => void logged.push(text) })
    database = await openDatabase({ DATABASE_URL: line.url, DATA_DIR: '' }, testProgramFiles(), { logger })
    server = await testApp({ database: asTestDatabase(database) })
  })
  afterAll(async () => {
    await server.close()
    await database.close()
    await line.close()
    await drop()
  })

  const ask = () => server.app.inject({ url: '/api/v1/widgets', headers: { 'x-anonymous-user-id': server.guest().id } })
  const answersAgain = () => vi.waitFor(async () => expect((await ask()).statusCode).toBe(200), 10_000)

  test('answers 503 with Retry-After and the usual body, tries to connect once at a time, and serves once it is back', async () => {
    expect((await ask()).statusCode).toBe(200)
    await line.cut()
    // Those of one moment share a statement, on the connection that is lost; the next ones ask for another.
    const all = () => Promise.all(Array.from({ length: 30 }, ask))
    const answers = [...(await all()), ...(await all())]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 503))
    expect(answers[0]?.headers['retry-after']).toBe('3')
    expect(answers[0]?.json()).toEqual({
      detail: 'The service is not available at the moment. Please try again.',
      error_code: 'INTERNAL_ERROR',
      request_id: answers[0]?.headers['x-request-id'],
    })
    await line.mend()
    await answersAgain()
    expect(logged.at(-1)).toContain('the database answers again')
  })

  test('has all its connections again after more of them were lost at BEGIN than it may have', async () => {
    line.cutAt('begin', 12)
    for (let n = 0; n < 12; n++)
      await expect(database.orm.transaction((tx) => tx.execute(sql`SELECT 1`))).rejects.toSatisfy(isOutOfReach)
    expect((await database.orm.transaction((tx) => tx.execute(sql`SELECT 1 AS one`))).rows).toEqual([{ one: 1 }])
    expect(database.pool.totalCount).toBe(1)
  })

  test('leaves a connection whose server takes no changes any more, as a primary that became a standby', async () => {
    const guest = server.guest()
    const setReadOnly = (how: string) => onServer(url, `ALTER DATABASE ${name} ${how}`)
    await setReadOnly('SET default_transaction_read_only = on')
    await line.cut()
    await line.mend()
    await vi.waitFor(() => database.pool.query('SELECT 1'), 10_000)
    const create = async () => (await guest.create({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })).status
    expect(await create()).toBe(503)
    await setReadOnly('RESET default_transaction_read_only')
    await vi.waitFor(async () => expect(await create()).toBe(201), 10_000)
  })

  test('refuses at once, and does not wait for a connection each, where a server that is known to be away is silent', async () => {
    const pool = new ServerPool(line.url, { connectionTimeoutMillis: 100 }, undefined)
    await line.cut('silent')
    await expect(pool.connect()).rejects.toThrow('timeout')
    const before = line.attempts()
    const refusals = await Promise.allSettled(Array.from({ length: 20 }, () => pool.query('SELECT 1')))
    expect(refusals.every((one) => one.status === 'rejected' && isOutOfReach(one.reason))).toBe(true)
    expect(line.attempts() - before).toBeLessThanOrEqual(1)
    await line.mend()
    await vi.waitFor(() => pool.query('SELECT 1'), 10_000)
    await pool.end()
    await answersAgain()
  })

  test('gives up connections whose machine is gone without a word, and none whose statement takes long', async () => {
    const pool = new ServerPool(line.url, { max: 2, connectionTimeoutMillis: 200 }, undefined, 100)
    expect((await pool.query('SELECT pg_sleep(0.5) IS NULL AS slept')).rows).toEqual([{ slept: false }])
    const held = await pool.connect()
    await line.cut('frozen')
    await expect(held.query('SELECT 1')).rejects.toSatisfy(isOutOfReach)
    await line.mend()
    await vi.waitFor(() => pool.query('SELECT 1'), 10_000)
    expect(pool.totalCount).toBe(1)
    await pool.end()
    await answersAgain()
  })
})
