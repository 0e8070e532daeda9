import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { retention_clock } from '../../server/db/schema/jobs'
import { owners, users } from '../../server/db/schema/users'
import { mail_requests, mail_tokens } from '../../server/db/schema/mail'
import { type MailTransport, smtpTransport } from '../../server/adapters/mail-transport'
import { deliverMails } from '../../server/services/mail/deliver'
import { withRequestOrigin } from '../../server/http/addresses'
import { removeOutdated } from '../../server/services/retention'
import { requestMail } from '../../server/services/mail/queued-mail'
import { hashOfSecret } from '../../server/services/secrets'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { linkIn, type Mailbox, type ReceivedMail, startMailbox } from '../support/mailbox'
import { withDatabase } from './support/for-file'
import { newUser } from './support/new-user'
import { testClock } from './support/test-clock'
import { trustClock } from './support/trusted-clock'

const ORIGIN = 'https://ratio.example'
const SENDER = 'Ratios <post@ratio.example>'

let mailbox: Mailbox
let transport: MailTransport
let clock: ReturnType<typeof testClock>
let deps: Parameters<typeof deliverMails>[0]
const database = withDatabase()
beforeEach(async () => {
  mailbox = await startMailbox()
  transport = smtpTransport(mailbox.url, SENDER)
  clock = testClock()
  const env = { PUBLIC_URL: ORIGIN, SUPPORT_EMAIL: 'help@ratio.example', RATE_LIMIT_FACTOR: 100 }
  deps = { env, database, transport, clock }
})
afterEach(async () => {
  transport.close()
  await mailbox.stop()
  await database.reset()
})

const ask = (request: Parameters<typeof requestMail>[1]) => requestMail(database.orm, request, clock())
const waiting = () => database.rows(mail_requests)
const tokens = () => database.rows(mail_tokens)

/** An account, and what is different about it. */
async function account(email: string, set: Partial<typeof users.$inferInsert> = {}): Promise<string> {
  const { id } = await newUser(database, clock(), { email })
  await database.orm
    .update(users)
    .set({ email_verified_at: null, ...set })
    .where(eq(users.id, id))
  return id
}

/** The token of a mail's link. */
const tokenOf = (mail: ReceivedMail, path: string): string => linkIn(mail, path).searchParams.get('token') ?? ''

async function delivered(to: string): Promise<readonly ReceivedMail[]> {
  await deliverMails(deps)
  return mailbox.to(to)
}

test.each([
  ['verify-email', '/verify-email', DAY],
  ['reset-password', '/reset-password', HOUR],
] as const)('a %s mail goes to the stored address, and its token is kept as a hash', async (kind, path, lifetime) => {
  const id = await account('Ann@example.com')
  await ask({ kind, email: 'aNN@example.COM' })
  expect(await tokens()).toEqual([])
  const [mail] = await delivered('ann@example.com')
  expect(mail?.raw).toContain('To: Ann@example.com')
  expect(mail?.from).toBe('post@ratio.example')
  expect(mail?.headers['auto-submitted']).toBe('auto-generated')
  const link = linkIn(mail!, path)
  expect(link.origin).toBe(ORIGIN)
  const token = tokenOf(mail!, path)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await tokens()).toMatchObject([
    { token_hash: hashOfSecret(token), purpose: kind, user_id: id, expires_at: new Date(clock() + lifetime) },
  ])
  expect(await waiting()).toEqual([])
})

test('two requested verification mails carry different links, and the hashes of both tokens are kept', async () => {
  await account('ann@example.com')
  for (let i = 0; i < 2; i++) await ask({ kind: 'verify-email', email: 'ann@example.com' })
  const links = (await delivered('ann@example.com')).map((mail) => tokenOf(mail, '/verify-email'))
  expect(new Set(links).size).toBe(2)
  expect((await tokens()).map(({ token_hash }) => token_hash).toSorted()).toEqual(links.map(hashOfSecret).toSorted())
})

test('more mails of a kind to one reader, or links to all, than an hour allows wait, and go out in the next hour; those of added passkeys wait behind none', async () => {
  deps = { ...deps, env: { ...deps.env, RATE_LIMIT_FACTOR: 0.2 } }
  await account('ann@example.com', { email_verified_at: new Date(clock()) })
  // Ten become two.
  for (let i = 0; i < 3; i++) await ask({ kind: 'password-changed', email: 'ann@example.com' })
  expect(await delivered('ann@example.com')).toHaveLength(2)
  const at = new Date(clock())
  const told = { kind: 'passkey-added', email: 'ann@example.com', requested_at: at, next_attempt_at: at } as const
  await database.orm.insert(mail_requests).values([told, told, told])
  expect(await delivered('ann@example.com')).toHaveLength(5)
  deps = { ...deps, env: { ...deps.env, RATE_LIMIT_FACTOR: 0.001 } }
  // 3,000 become three, of which one network has two, and what leads to no account is none of them.
  for (let i = 0; i < 5; i++) {
    await account(`bob${i}@example.com`)
    const ip = i < 4 ? '203.0.113.1' : '198.51.100.1'
    for (const email of [`bob${i}@example.com`, `nobody${i}@example.com`])
      await withRequestOrigin({ ip, headers: {} }, 1, () => ask({ kind: 'reset-password', email }))
    // Several mails go out at once: the second network's comes when the first one has its share.
    if (i >= 3) await deliverMails(deps)
  }
  expect([mailbox.all().length, (await waiting()).length]).toEqual([8, 3])
  expect(mailbox.to('bob4@example.com')).toHaveLength(1)
  for (let i = 0; i < 4; i++) {
    clock.advance(15 * MINUTE)
    await deliverMails(deps)
  }
  expect([mailbox.all().length, await waiting()]).toEqual([11, []])
})

test('a mail that could not be sent takes nothing of what an hour allows', async () => {
  deps = { ...deps, env: { ...deps.env, RATE_LIMIT_FACTOR: 0.1 } }
  await account('ann@example.com')
  await ask({ kind: 'reset-password', email: 'ann@example.com' })
  const failing = { send: () => Promise.reject(new Error('no connection')), close: () => undefined }
  await deliverMails({ ...deps, transport: failing })
  clock.advance(MINUTE)
  expect(await delivered('ann@example.com')).toHaveLength(1)
})

test('a password reset token is deleted once its hour is over, not before', async () => {
  await account('ann@example.com')
  await ask({ kind: 'reset-password', email: 'ann@example.com' })
  await deliverMails(deps)
  await removeOutdated(database, 'expire-mail-tokens', clock() + HOUR)
  expect(await tokens()).toHaveLength(1)
  await removeOutdated(database, 'expire-mail-tokens', clock() + HOUR + 1)
  expect(await tokens()).toEqual([])
})

test.each([
  ['that has no account', 'verify-email', null],
  ['that has no account', 'reset-password', null],
  ['that is verified already', 'verify-email', { email_verified_at: new Date() }],
  ['that an operator has disabled', 'reset-password', { is_active: false }],
  ['whose deletion was cancelled meanwhile', 'deletion-scheduled', { deletion_scheduled_at: null }],
] as const)('no mail is sent to an address %s: %s', async (_why, kind, state) => {
  if (state !== null) await account('ann@example.com', state)
  await ask({ kind, email: 'ann@example.com' })
  await deliverMails(deps)
  expect([mailbox.all(), await waiting(), await tokens()]).toEqual([[], [], []])
})

test('mails about a changed password and a scheduled deletion go to the account’s owner, with a plain login link', async () => {
  const deletion_scheduled_at = new Date(Date.UTC(2026, 0, 31, 23))
  await account('ann@example.com', { deletion_scheduled_at, email_verified_at: new Date(clock()) })
  await ask({ kind: 'password-changed', email: 'ann@example.com' })
  await ask({ kind: 'deletion-scheduled', email: 'ann@example.com' })
  const mails = await delivered('ann@example.com')
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Your account will be deleted on 2 March 2026',
    'Your password was changed',
  ])
  for (const mail of mails) expect(linkIn(mail, '/login').origin).toBe(ORIGIN)
  expect(await tokens()).toEqual([])
})

test('mails about a lock-out and about devices name the device and the time, lead to a page of the app, and carry no token', async () => {
  await account('ann@example.com', { email_verified_at: new Date(clock()) })
  const device = 'Chrome on Android'
  for (const kind of ['locked-out', 'new-device', 'session-stolen', 'session-expired'] as const) {
    await ask({ kind, email: 'ANN@example.com', device })
  }
  const mails = await delivered('ann@example.com')
  const paths = Object.fromEntries(
    mails.map((mail) => [
      mail.subject,
      ['/settings', '/forgot-password', '/login'].filter((path) => mail.text.includes(`${ORIGIN}${path}`)),
    ]),
  )
  expect(paths).toEqual({
    'Too many wrong passwords for your account': ['/forgot-password'],
    'New login to your account': ['/settings', '/forgot-password'],
    'We logged out one of your devices': ['/settings', '/forgot-password'],
    'Alerts no longer reach one of your devices': ['/login'],
  })
  for (const mail of mails) {
    const isAboutOne = mail.subject !== 'Too many wrong passwords for your account'
    expect(mail.text.includes(device), mail.subject).toBe(isAboutOne)
    expect(mail.text, mail.subject).not.toMatch(/token=|[?&]\w+=/)
  }
  const [lockedOut] = mails.filter(({ subject }) => subject.startsWith('Too many'))
  expect(lockedOut?.text).toContain('15 January 2026 at 12:00 UTC')
  expect(await tokens()).toEqual([])
})

test('a lock-out of an address whose account is not verified, or that has none, is not mailed', async () => {
  await account('ann@example.com')
  for (const email of ['ann@example.com', 'nobody@example.com']) await ask({ kind: 'locked-out', email, device: null })
  expect(await delivered('ann@example.com')).toEqual([])
  expect(await waiting()).toEqual([])
})

test('mails about Google and passkeys go to the account’s owner and lead to Settings', async () => {
  await account('ann@example.com', { email_verified_at: new Date(clock()) })
  const kinds = ['google-linked', 'google-unlinked', 'passkey-removed', 'recovery-code-used'] as const
  for (const kind of kinds) await ask({ kind, email: 'ann@example.com' })
  const mails = await delivered('ann@example.com')
  const subjects = mails.map(({ subject }) => subject).toSorted()
  expect(subjects.slice(0, 2)).toEqual(['A passkey was removed', 'A recovery code was used'])
  expect(subjects.slice(2)).toEqual(['Google login was added', 'Google login was removed'])
  for (const mail of mails) expect(linkIn(mail, '/settings').origin).toBe(ORIGIN)
})

const link = async () => {
  await account('ann@example.com')
  await ask({ kind: 'verify-email', email: 'ann@example.com' })
}

test('a mail refused with 451 is retried after growing pauses of up to 15 minutes, and then sent with a new token', async () => {
  await link()
  mailbox.refuse(451)
  await deliverMails(deps)
  const [first] = await tokens()
  const pauses: number[] = []
  for (let i = 0; i < 8; i++) {
    const [row] = await waiting()
    pauses.push(row!.next_attempt_at.getTime() - clock())
    clock.advance(pauses.at(-1)! - 1)
    await deliverMails(deps)
    expect(mailbox.refused()).toBe(i + 1)
    clock.advance(1)
    await deliverMails(deps)
    expect(mailbox.refused()).toBe(i + 2)
  }
  expect(pauses).toEqual([5_000, 15_000, 45_000, 135_000, 405_000, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE])
  mailbox.refuse(null)
  clock.advance(15 * MINUTE)
  const [mail, ...more] = await delivered('ann@example.com')
  expect(more).toEqual([])
  const kept = await tokens()
  expect(kept).toMatchObject([
    { token_hash: hashOfSecret(tokenOf(mail!, '/verify-email')), expires_at: new Date(clock() + DAY) },
  ])
  expect(kept[0]?.token_hash).not.toBe(first?.token_hash)
  expect(await waiting()).toEqual([])
})

test('a mail that the mail server refuses with 554 is dropped after one attempt', async () => {
  await link()
  mailbox.refuse(554)
  await deliverMails(deps)
  expect([await waiting(), mailbox.refused()]).toEqual([[], 1])
})

test('a mail is kept while the mail server cannot be reached, and is sent on a later attempt', async () => {
  await link()
  const gone = { ...deps, transport: smtpTransport('smtp://127.0.0.1:9', SENDER) }
  await deliverMails(gone)
  gone.transport.close()
  expect(await waiting()).toMatchObject([{ attempts: 1, kind: 'verify-email' }])
  clock.advance(5_000)
  expect(await delivered('ann@example.com')).toHaveLength(1)
})

test('a password reset mail that the mail server refuses until its link would have expired is given up', async () => {
  await account('ann@example.com')
  await ask({ kind: 'reset-password', email: 'ann@example.com' })
  mailbox.refuse(451)
  for (let tries = 0; tries < 30 && (await waiting()).length > 0; tries++) {
    await deliverMails(deps)
    clock.advance(15 * MINUTE)
  }
  expect(await waiting()).toEqual([])
  expect(mailbox.refused()).toBeGreaterThan(3)
  mailbox.refuse(null)
  expect(await delivered('ann@example.com')).toEqual([])
})

test('a mail that no worker tried to send before its link would have expired is dropped', async () => {
  await account('ann@example.com')
  await ask({ kind: 'reset-password', email: 'ann@example.com' })
  clock.advance(HOUR + 1)
  expect(await delivered('ann@example.com')).toEqual([])
  expect(await waiting()).toEqual([])
})

test.each([
  ['two hours ahead', 2 * HOUR],
  ['a year ahead', 365 * DAY],
])(
  'a mail whose time seems over to a clock that has jumped %s is kept, and sent once it is set right',
  async (_, ahead) => {
    await account('ann@example.com')
    await trustClock(deps)
    await ask({ kind: 'reset-password', email: 'ann@example.com' })
    clock.advance(ahead)
    expect(await delivered('ann@example.com')).toEqual([])
    clock.advance(MINUTE - ahead)
    expect(await delivered('ann@example.com')).toHaveLength(1)
    await database.orm.delete(retention_clock)
  },
)

test('a mail is kept while the mail server refuses the sender address, and is sent once the server accepts it', async () => {
  await account('ann@example.com')
  await ask({ kind: 'verify-email', email: 'ann@example.com' })
  mailbox.refuseSenders(550)
  expect(await delivered('ann@example.com')).toEqual([])
  expect(mailbox.refused()).toBe(1)
  expect(await waiting()).toHaveLength(1)
  mailbox.refuseSenders(null)
  clock.advance(MINUTE)
  expect(await delivered('ann@example.com')).toHaveLength(1)
})

test('a mail worker claims no more than five mails at once, even when table statistics say the queue holds one', async () => {
  const askTimes = (count: number) =>
    Promise.all(Array.from({ length: count }, () => ask({ kind: 'verify-email', email: 'ann@example.com' })))
  await account('ann@example.com')
  await askTimes(1)
  await database.pool.query('VACUUM (ANALYZE) mail_requests')
  await askTimes(39)
  let claimed: Promise<number> | undefined
  const count = async () => (await waiting()).filter(({ attempts }) => attempts > 0).length
  // All of the first claim are held until they are counted.
  const send = async () => void (await (claimed ??= count()))
  await deliverMails({ ...deps, transport: { send, close: () => undefined } })
  expect(await waiting()).toEqual([])
  expect(await claimed).toBe(5)
})

test('four mail workers running at once send each of 23 mails exactly once', async () => {
  const people = Array.from({ length: 23 }, (_, i) => `person${i}@example.com`)
  for (const email of people) {
    await account(email)
    await ask({ kind: 'verify-email', email })
  }
  await Promise.all(Array.from({ length: 4 }, () => deliverMails(deps)))
  expect(
    mailbox
      .all()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(people.toSorted())
  expect(await waiting()).toEqual([])
})

test('a mail claimed by a worker that died is sent a minute later by another worker, and a clock set back delays no mail', async () => {
  await account('ann@example.com')
  await ask({ kind: 'verify-email', email: 'ann@example.com' })
  let taken: () => void = () => undefined
  const sending = new Promise<void>((resolve) => (taken = resolve))
  const dying = {
    ...deps,
    transport: { send: () => (taken(), new Promise<never>(() => undefined)), close: () => undefined },
  }
  void deliverMails(dying)
  await sending
  await deliverMails(deps)
  expect(mailbox.all()).toEqual([])
  clock.advance(MINUTE)
  expect(await delivered('ann@example.com')).toHaveLength(1)

  await ask({ kind: 'reset-password', email: 'ann@example.com' })
  clock.advance(-2 * HOUR)
  expect(await delivered('ann@example.com')).toHaveLength(2)
})

test('deleting an account deletes the tokens of its mailed links', async () => {
  const id = await account('ann@example.com')
  await ask({ kind: 'verify-email', email: 'ann@example.com' })
  await deliverMails(deps)
  await database.orm.delete(owners).where(eq(owners.id, id))
  expect(await tokens()).toEqual([])
})
