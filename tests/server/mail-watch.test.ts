import { beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../src/domain/granularity'
import { type MailTransport, smtpTransport } from '../../server/adapters/mail-transport'
import { mail_requests } from '../../server/db/schema/mail'
import { deliverMails } from '../../server/services/mail/deliver'
import { mailWatch } from '../../server/services/mail/mail-watch'
import { requestMail } from '../../server/services/mail/queued-mail'
import { startMailbox } from '../support/mailbox'
import { withServer } from './support/for-file'

const server = withServer({ env: { SUPPORT_EMAIL: 'help@ratio.example' } })
let lastError: string | null
beforeEach(async () => {
  await server.reset()
  await server.database.orm.delete(mail_requests)
  lastError = null
  await server.user({ email: 'ann@example.com' })
})

const ask = () =>
  requestMail(server.database.orm, { kind: 'password-changed', email: 'ann@example.com' }, server.clock())
const send = (transport: MailTransport) =>
  deliverMails({ ...server, transport, failed: (error) => (lastError = (error as Error).message) })
const watch = () => mailWatch(server, () => lastError).run(new AbortController().signal)

test('a dead mail server fails the job that watches mails, after five minutes and with its cause, until mails go out again', async () => {
  await ask()
  const dead = smtpTransport('smtp://127.0.0.1:1', 'post@ratio.example')
  for (const minutes of [0, 1, 1]) {
    server.clock.advance(minutes * MINUTE)
    await send(dead)
    await expect(watch()).resolves.toBeUndefined()
  }
  server.clock.advance(5 * MINUTE)
  await send(dead)
  dead.close()
  await expect(watch()).rejects.toThrow(
    /^Mails cannot be sent, the oldest since 20\S+Z: the mail server did not take the mail: ESOCKET$/,
  )
  const mailbox = await startMailbox()
  const alive = smtpTransport(mailbox.url, 'post@ratio.example')
  server.clock.advance(15 * MINUTE)
  await send(alive)
  await expect(watch()).resolves.toBeUndefined()
  expect(mailbox.to('ann@example.com')).toHaveLength(1)
  alive.close()
  await mailbox.stop()
})

test('mails that wait because their reader has had many are no fault of the mail server, and count no tries', async () => {
  const mailbox = await startMailbox()
  const transport = smtpTransport(mailbox.url, 'post@ratio.example')
  for (let i = 0; i < 13; i++) await ask()
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
  transport.close()
  await mailbox.stop()
})
