import type { FastifyBaseLogger } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAIL_WATCH } from '../../src/domain/concerns'
import { MINUTE } from '../../src/domain/granularity'
import { type MailTransport, smtpTransport } from '../../server/adapters/mail-transport'
import { jobs } from '../../server/db/schema/jobs'
import { mail_requests } from '../../server/db/schema/mail'
import { tellOperatorsJob } from '../../server/services/admin/tell-operators'
import { deliverMails } from '../../server/services/mail/deliver'
import { mailWatch } from '../../server/services/mail/mail-watch'
import { requestMail } from '../../server/services/mail/queued-mail'
import { type Mailbox, startMailbox } from '../support/mailbox'
import { withServer } from './support/for-file'

const server = withServer({ env: { SUPPORT_EMAIL: 'help@ratio.example', PUBLIC_URL: 'http://localhost:8080' } })
let mailbox: Mailbox
let transport: MailTransport
let lastError: string | null
const logged = vi.fn<(about: unknown, message?: string) => void>()

beforeEach(async () => {
  await server.reset()
  await server.database.pool.query('TRUNCATE jobs, mail_requests, operator_notice, market_coins CASCADE')
  mailbox = await startMailbox()
  transport = smtpTransport(mailbox.url, 'Ratios <post@ratio.example>')
  lastError = null
  logged.mockClear()
})
afterEach(async () => {
  transport.close()
  await mailbox.stop()
})

const run = (text: string, values: readonly unknown[] = []) => server.database.pool.query(text, [...values])
const price = (age: number) =>
  run(
    `WITH coin AS (INSERT INTO market_coins (source, id, symbol, name, listed_at, asked_at) VALUES ('simulated', 'a', 'A', 'A', 0, $2)
       ON CONFLICT (source, id) DO UPDATE SET asked_at = excluded.asked_at RETURNING key)
     INSERT INTO market_prices (coin_key, usd, at, seen_at) SELECT key, 1, 0, $1 FROM coin
     ON CONFLICT (coin_key) DO UPDATE SET seen_at = excluded.seen_at`,
    [server.clock() - age, server.clock()],
  )

/** Looks once after `minutes`, sends what waits, and returns the subjects and texts of the mails to the superuser. */
async function look(minutes: number) {
  server.clock.advance(minutes * MINUTE)
  const { database, env, clock } = server
  const logger = { info: logged, error: logged, warn: logged } as unknown as FastifyBaseLogger
  await tellOperatorsJob({ database, env, clock, logger, market: { source: 'simulated' } }).run(
    new AbortController().signal,
  )
  await send(transport)
  return mailbox.to('boss@example.com').map(({ headers, raw }) => ({ subject: headers['subject'], raw }))
}
const send = (by: MailTransport) =>
  deliverMails({ ...server, transport: by, failed: (error) => (lastError = (error as Error).message) })
const ask = (email: string) => requestMail(server.database.orm, { kind: 'password-changed', email }, server.clock())
const watch = () => mailWatch(server, () => lastError).run(new AbortController().signal)

test('superusers get one mail when the set of concerns has changed at two looks in a row, at most one an hour, none for a number, and one when all is well again', async () => {
  await server.operator('boss@example.com')
  await server.user({ email: 'ann@example.com' })
  await price(0)
  expect(await look(2)).toEqual([])
  expect(await look(60)).toEqual([])
  const told = await look(2)
  expect(told.map(({ subject }) => subject)).toEqual(['There is something to look at on localhost:8080'])
  expect(told[0]!.raw).toContain('The newest price is from 1 h ago.')
  expect(logged).toHaveBeenCalledWith(
    { concerns: ['The newest price is from 1 h ago.'] },
    'operators are told of concerns',
  )
  // Its number has changed, and then it was gone at one look alone.
  expect(await look(120)).toHaveLength(1)
  await price(0)
  expect(await look(2)).toHaveLength(1)
  expect(await look(60)).toHaveLength(1)
  // Another concern, as it stays, and the first one's end within the hour.
  await run('INSERT INTO jobs (name, next_run_at, last_error) VALUES ($1, $2, $3)', ['vacuum', new Date(), 'broken'])
  expect(await look(2)).toHaveLength(1)
  expect(await look(2)).toHaveLength(2)
  expect(mailbox.to('boss@example.com')[1]!.raw).toContain('Failing: vacuum.')
  await server.database.orm.delete(jobs)
  await price(0)
  expect(await look(2)).toHaveLength(2)
  await price(0)
  expect(await look(2)).toHaveLength(2)
  server.clock.advance(60 * MINUTE)
  await price(0)
  await look(0)
  expect((await look(1)).map(({ subject }) => subject)).toEqual([
    'There is something to look at on localhost:8080',
    'There is something to look at on localhost:8080',
    'All is well again on localhost:8080',
  ])
  expect(mailbox.to('ann@example.com')).toEqual([])
})

test('a concern that comes and goes hides none that lasts', async () => {
  await server.operator('boss@example.com')
  const at = new Date()
  await price(60 * MINUTE)
  await run('INSERT INTO jobs (name, next_run_at, last_error) VALUES ($1, $2, $3)', ['vacuum', at, 'broken'])
  await look(0)
  await server.database.orm.delete(jobs)
  expect((await look(2)).map(({ raw }) => /Failing|newest price/.exec(raw)?.[0])).toEqual(['newest price'])
})

test('a dead mail server fails the job that watches mails with the cause, is a concern that stands in the log, and is told by mail once mails go out again', async () => {
  await server.operator('boss@example.com')
  await price(0)
  await ask('boss@example.com')
  const dead = smtpTransport('smtp://127.0.0.1:1', 'post@ratio.example')
  for (const minutes of [0, 1, 1]) {
    server.clock.advance(minutes * MINUTE)
    await send(dead)
    await expect(watch()).resolves.toBeUndefined()
  }
  server.clock.advance(5 * MINUTE)
  await send(dead)
  await expect(watch()).rejects.toThrow(
    /^Mails cannot be sent, the oldest since 20\S+Z: the mail server did not take the mail: ESOCKET$/,
  )
  dead.close()
  await run('INSERT INTO jobs (name, next_run_at, last_error) VALUES ($1, $2, $3)', [MAIL_WATCH, new Date(), 'dead'])
  await look(0)
  const mails = await look(2)
  expect(logged).toHaveBeenCalledWith(
    { concerns: ['Mails cannot be sent: the log says why.'] },
    'operators are told of concerns',
  )
  expect(mails.at(-1)!.raw).toContain('Mails cannot be sent')
  server.clock.advance(15 * MINUTE)
  await send(transport)
  await expect(watch()).resolves.toBeUndefined()
})

test('mails that wait because their reader has had many are no fault of the mail server, and count no tries', async () => {
  await server.user({ email: 'ann@example.com' })
  for (let i = 0; i < 13; i++) await ask('ann@example.com')
  for (let tries = 0; tries < 4; tries++) {
    await deliverMails({
      ...server,
      env: { ...server.env, RATE_LIMIT_FACTOR: 1 },
      transport,
      failed: (error) => expect.unreachable(String(error)),
    })
    server.clock.advance(10 * MINUTE)
  }
  const waiting = await server.database.orm.select().from(mail_requests)
  expect(waiting.length).toBeGreaterThan(0)
  expect(waiting.map(({ attempts }) => attempts)).toEqual(waiting.map(() => 0))
  await expect(watch()).resolves.toBeUndefined()
})
