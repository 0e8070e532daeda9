/** @module-tag both-engines */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailTransport, smtpTransport } from '../../server/adapters/mail-transport'
import { channel_deliveries } from '../../server/db/schema/channels'
import { mail_requests } from '../../server/db/schema/mail'
import { deliverMails } from '../../server/services/mail/deliver'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { type Mailbox, startMailbox } from '../support/mailbox'
import {
  addChannel,
  type AnsweredChannel,
  channelsOf,
  crossing,
  deliver,
  me,
  outcomes,
  pairOf,
  server,
  setChannelScene,
} from './support/channel-scene'
import { newEmail } from './support/accounts'
import { key, verdict } from './support/person'

setChannelScene()
let mailbox: Mailbox
let transport: MailTransport
beforeAll(async () => {
  mailbox = await startMailbox()
  transport = smtpTransport(mailbox.url, 'Ratios <post@ratio.example>')
})
afterAll(async () => {
  transport.close()
  await mailbox.stop()
})

const mails = () => deliverMails({ ...server, transport })

/** A user with a pair, whose alerts are mailed. */
async function reader() {
  const email = newEmail()
  const account = await server.user({ email })
  const theirs = await pairOf(account)
  const channel = await addChannel({ kind: 'email' }, account)
  const cross = (epoch: number) => crossing({ epoch }, theirs)
  return { account, theirs, channel, cross, inbox: () => mailbox.to(email.toLowerCase()) }
}

test('a crossing is mailed at once to the account’s address, with one-click List-Unsubscribe; those of the next six minutes are one mail', async () => {
  const { account, theirs, channel, cross, inbox } = await reader()
  await cross(1)
  await deliver()
  expect(await outcomes()).toEqual(['queued'])
  await mails()
  const [mail] = inbox()
  expect(mail?.subject).toBe('Sell alert: BTC / ETH. Ratio 21.5000 is above 21.0000.')
  expect(mail?.text).toContain(`${server.env.PUBLIC_URL}/chart/${theirs}`)
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  expect(mail?.headers['list-unsubscribe']).toMatch(
    new RegExp(`^<${server.env.PUBLIC_URL}/api/v1/alerts/channels/${channel.id}/unsubscribe\\?token=[\\w-]{43}>$`),
  )
  expect(await outcomes()).toEqual(['sent'])
  expect(await channelsOf(account)).toMatchObject([{ last_success_at: new Date(server.clock()).toISOString() }])
  await cross(2)
  await cross(3)
  await deliver()
  expect(await outcomes()).toEqual(['sent', 'waiting', 'waiting'])
  server.clock.advance(6 * MINUTE)
  await deliver()
  await mails()
  expect(inbox().map(({ subject }) => subject)).toEqual([mail?.subject, '2 ratio alerts'])
  expect(inbox()[1]?.text.match(/Sell alert/g)).toHaveLength(2)
})

test('quiet alerts are mailed together at the next full hour, and one with a sound at once', async () => {
  const { theirs, cross, inbox } = await reader()
  server.clock.advance(HOUR - (server.clock() % HOUR) + 5 * MINUTE)
  const quietly = (epoch: number) => crossing({ epoch, kind: 'move_up', loudness: 'quiet' }, theirs)
  const rule = (await server.database.pool.query('SELECT id FROM alert_rules LIMIT 1')).rows[0]!.id as string
  for (const epoch of [1, 2]) await quietly(epoch).then((event) => ofRule(event.id, rule))
  await cross(3)
  await deliver()
  await mails()
  expect([await outcomes(), inbox().length]).toEqual([['sent', 'waiting', 'waiting'], 1])
  for (const minutes of [30, 24]) {
    server.clock.advance(minutes * MINUTE)
    await deliver()
  }
  await mails()
  expect(inbox()).toHaveLength(1)
  server.clock.advance(MINUTE)
  await deliver()
  await mails()
  expect(inbox()[1]?.subject).toBe('2 ratio alerts')
})
const ofRule = (event: string, rule: string) =>
  server.database.pool.query('UPDATE alert_events SET rule_id = $2, level = 5 WHERE id = $1', [event, rule])

test.each([
  [
    'a form as RFC 8058 wants it',
    { 'content-type': 'multipart/form-data; boundary=x' },
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
  [
    'the other encoding of forms',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'List-Unsubscribe=One-Click',
  ],
])(
  'the link of a mail stops mails when it is posted to as %s, without a login; opening it stops nothing, and a wrong token neither',
  async (_what, headers, payload) => {
    const { account, channel, cross, inbox } = await reader()
    await cross(1)
    await deliver()
    await mails()
    const url = (inbox()[0]?.headers['list-unsubscribe'] ?? '').slice(1 + server.env.PUBLIC_URL.length, -1)
    const state = async () => (await channelsOf(account))[0]?.state
    const page = await server.app.inject({ method: 'GET', url })
    expect([page.statusCode, page.headers['content-type'], await state()]).toEqual([
      200,
      'text/html; charset=utf-8',
      'on',
    ])
    expect(page.payload).toContain('<form method="post">')
    const wrong = await server.app.inject({
      method: 'POST',
      url: url.replace(/token=.{4}/, 'token=AAAA'),
      headers,
      payload,
    })
    expect([wrong.statusCode, await state()]).toEqual([400, 'on'])
    expect((await server.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
    expect(await state()).toBe('off')
    await cross(2)
    await deliver()
    await mails()
    expect(inbox()).toHaveLength(1)
    expect((await addChannel({ kind: 'email' }, account)).id).toBe(channel.id)
    expect(await state()).toBe('on')
  },
)

test('a mail that is stopped while it waits is not sent', async () => {
  const { account, channel, cross, inbox } = await reader()
  await cross(1)
  await deliver()
  await account.ask('PUT', `/alerts/channels/${channel.id}`, { state: 'off' }, key(undefined))
  await mails()
  expect([inbox(), await outcomes(), await server.rows(mail_requests)]).toEqual([[], ['unwanted'], []])
})

test('a mail and the end of its deliveries are one transaction: a mail that cannot be queued leaves them waiting', async () => {
  const { cross } = await reader()
  await cross(1)
  const { orm } = server.database
  await orm.execute("ALTER TABLE mail_requests ADD CONSTRAINT no_room CHECK (kind <> 'alerts')")
  await deliver()
  expect([await outcomes(), await server.rows(mail_requests)]).toEqual([['waiting'], []])
  await orm.execute('ALTER TABLE mail_requests DROP CONSTRAINT no_room')
  server.clock.advance(MINUTE)
  await deliver()
  const [mail] = await server.rows(mail_requests)
  expect(mail?.id).toBe((await server.rows(channel_deliveries))[0]?.batch)
})

test('a mail server that refuses an alert’s mails for five days has the channel switched off', async () => {
  const { account, cross, inbox } = await reader()
  mailbox.refuse(550)
  for (let epoch = 0; epoch < 6; epoch++) {
    await cross(epoch)
    await deliver()
    await mails()
    expect(await channelsOf(account)).toMatchObject([{ state: epoch < 5 ? 'failing' : 'off' }])
    server.clock.advance(DAY)
  }
  mailbox.refuse(null)
  expect([inbox(), new Set(await outcomes())]).toEqual([[], new Set(['undeliverable'])])
})

test('a test is mailed, and its success is noted; guests and accounts that nobody has verified have no mails of alerts', async () => {
  const { account, channel, inbox } = await reader()
  expect((await account.ask<AnsweredChannel>('POST', `/alerts/channels/${channel.id}/test`)).status).toBe(200)
  await mails()
  expect(inbox()[0]?.text).toContain('This is a test')
  expect(await channelsOf(account)).toMatchObject([{ last_success_at: new Date(server.clock()).toISOString() }])
  const asked = await me.ask<AnsweredChannel>('POST', '/alerts/channels', { kind: 'email' }, key(undefined))
  expect(verdict(asked)).toEqual([403, 'FORBIDDEN'])
  server.clock.advance(HOUR)
})
