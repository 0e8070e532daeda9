import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from '../../src/domain/account'
import { HOUR } from '../../src/domain/granularity'
import { smtpTransport } from '../../server/adapters/mail-transport'
import { feedback, mail_requests } from '../../server/db/schema/mail'
import { owners } from '../../server/db/schema/users'
import { deliverMails } from '../../server/services/mail/deliver'
import { type Mailbox, startMailbox } from '../support/mailbox'
import { withServer } from './support/for-file'
import type { Person } from './support/person'
import { testApp } from './support/test-app'

const SUPPORT = 'help@ratio.example'
const MESSAGE = 'The chart is lovely.\nThe <b>buttons</b> are not.'

let mailbox: Mailbox
const server = withServer({ env: { SUPPORT_EMAIL: SUPPORT } })
beforeEach(async () => {
  mailbox = await startMailbox()
})
afterEach(async () => {
  await mailbox.stop()
  await server.database.orm.delete(feedback)
  await server.reset()
})

const kept = () => server.rows(feedback)
const send = async (who: Person, message: string, op?: string) =>
  server.post<{ message: string }>(
    '/feedback',
    { message },
    { ...(await who.identity()), ...(op && { 'idempotency-key': op }) },
  )

async function mails() {
  const transport = smtpTransport(mailbox.url, 'post@ratio.example')
  await deliverMails({ env: server.env, database: server.database, transport, clock: server.clock })
  transport.close()
  return mailbox.to(SUPPORT)
}

test('a user’s feedback is stored with the user’s id and mailed to support, escaped, with the user as reply-to', async () => {
  const me = await server.user({ email: 'ann@example.com' })
  const { status, body } = await send(me, `  ${MESSAGE}\n `)
  expect([status, body]).toEqual([201, { message: 'Thank you for your feedback!' }])
  expect(await kept()).toMatchObject([{ user_id: me.id, message: MESSAGE, created_at: new Date(server.clock()) }])
  const [mail] = await mails()
  expect([mail?.subject, mail?.headers['reply-to']]).toEqual(['Feedback from ann@example.com', 'ann@example.com'])
  expect(mail?.text).toContain(MESSAGE)
  expect(mail?.html).toContain('The &#60;b&#62;buttons&#60;/b&#62; are not.')
})

test('a guest’s feedback is stored with the guest and mailed to support without a user or a reply-to address', async () => {
  const me = server.guest()
  expect((await send(me, MESSAGE)).status).toBe(201)
  const [owner] = await server.rows(owners)
  expect(await kept()).toMatchObject([{ user_id: null, guest_id: owner?.id, message: MESSAGE }])
  const [mail] = await mails()
  expect([mail?.subject, mail?.headers['reply-to']]).toEqual(['Feedback from a guest', undefined])
})

test('feedback of less than the minimum or more than the maximum length, without surrounding spaces, is refused', async () => {
  const me = server.guest()
  const lengths = [SHORTEST_FEEDBACK - 1, SHORTEST_FEEDBACK, LONGEST_FEEDBACK, LONGEST_FEEDBACK + 1]
  const statuses = []
  for (const length of lengths) statuses.push((await send(me, ` ${'x'.repeat(length)} `)).status)
  expect(statuses).toEqual([422, 201, 201, 422])
})

test('feedback sent repeatedly with one idempotency key is stored and mailed once; without a key, each is stored', async () => {
  const [me, other, op] = [await server.user(), await server.user(), randomUUID()]
  const both = await Promise.all([send(me, MESSAGE, op), send(me, MESSAGE, op)])
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  expect((await send(me, 'Another message.', op)).body.error_code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect((await send(other, MESSAGE, op)).body.error_code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await kept()).toHaveLength(1)
  expect(await mails()).toHaveLength(1)
  // Without a key, each is one of its own.
  for (let i = 0; i < 2; i++) await send(me, MESSAGE)
  expect(await kept()).toHaveLength(3)
})

test('of one owner ten messages a day are kept and mailed; repetitions are not counted, and other owners are not affected', async () => {
  const limited = await testApp({ database: server.database, env: { SUPPORT_EMAIL: SUPPORT, RATE_LIMIT_FACTOR: '1' } })
  const ip = (n: number) => ({ 'x-forwarded-for': `192.0.2.${n}` })
  for (const me of [limited.guest(), await limited.user()]) {
    const write = async (n: number, op: string = randomUUID()) =>
      me.ask<{ detail: string }>(
        'POST',
        '/feedback',
        { message: `${MESSAGE} ${n}` },
        { 'idempotency-key': op, ...ip(n) },
      )
    const first = randomUUID()
    const statuses = []
    for (let n = 0; n < 10; n++) statuses.push((await write(n, n === 0 ? first : undefined)).status)
    expect(statuses).toEqual(Array(10).fill(201))
    limited.clock.advance(HOUR)
    const refused = await write(10)
    expect([refused.status, refused.body.detail]).toEqual([429, 'Too many attempts. Please try again in 23 hours.'])
    expect(refused.headers['retry-after']).toBe(String(23 * 3600))
    expect((await write(0, first)).status).toBe(201)
    limited.clock.advance(23 * HOUR)
    expect((await write(11)).status).toBe(201)
  }
  expect(await kept()).toHaveLength(22)
  expect(await limited.database.orm.$count(mail_requests)).toBe(22)
  await limited.close()
})

test('beyond a thousand messages of guests a day each network writes one more, and a refused guest leaves no row', async () => {
  const limited = await testApp({
    database: server.database,
    env: { SUPPORT_EMAIL: SUPPORT, RATE_LIMIT_FACTOR: '0.01' },
  })
  const write = (n: number, ip = n) =>
    limited.guest().ask('POST', '/feedback', { message: `${MESSAGE} ${n}` }, { 'x-forwarded-for': `198.51.${ip}.7` })
  const statuses = []
  for (let n = 0; n < 12; n++) statuses.push((await write(n, n % 11)).status)
  expect(statuses).toEqual([...Array(11).fill(201), 429])
  // A message that a guest wrote before is one message, whichever guest writes it again.
  expect((await write(3, 13)).status).toBe(201)
  expect([
    (await kept()).length,
    await limited.database.orm.$count(mail_requests),
    await limited.database.orm.$count(owners),
  ]).toEqual([11, 11, 11])
  await limited.close()
})

test('removing a guest deletes the guest’s feedback, and the feedback mail that was not yet sent', async () => {
  await send(server.guest(), MESSAGE)
  await server.database.orm.delete(owners)
  expect([await kept(), await server.database.orm.$count(mail_requests)]).toEqual([[], 0])
})

test('deleting an account deletes its feedback, and the feedback mail that was not yet sent', async () => {
  const me = await server.user()
  await send(me, MESSAGE)
  await server.database.orm.delete(owners).where(eq(owners.id, me.id))
  expect([await kept(), await server.rows(mail_requests), await mails()]).toEqual([[], [], []])
})
