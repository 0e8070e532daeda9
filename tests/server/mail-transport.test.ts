import { afterEach, beforeEach, expect, test } from 'vitest'
import { smtpTransport } from '../../server/adapters/mail-transport'
import { withSmtpTls } from '../../server/env-values'
import { type Mailbox, startMailbox } from '../support/mailbox'

const SENDER = 'Ratios <post@ratio.example>'

let mailbox: Mailbox
beforeEach(async () => {
  mailbox = await startMailbox()
})
afterEach(() => mailbox.stop())

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Text', html: '<p>Text</p>' }

test('a mail is not given to a server that offers no TLS where TLS is required, and no password is shown to it', async () => {
  const url = new URL(mailbox.url)
  url.username = 'user'
  url.password = 'password'
  const strict = smtpTransport(withSmtpTls(url.href, 'required'), SENDER)
  await expect(strict.send(mail)).rejects.toThrow('ETLS')
  expect(mailbox.all()).toEqual([])
  strict.close()
})

test('a mail is given to a server that offers no TLS where the URL says tls=opportunistic', async () => {
  const lenient = smtpTransport(withSmtpTls(`${mailbox.url}?tls=opportunistic`, 'opportunistic'), SENDER)
  await lenient.send(mail)
  expect(mailbox.all()).toHaveLength(1)
  lenient.close()
})
