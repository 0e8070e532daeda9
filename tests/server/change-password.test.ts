import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { TokenAnswer } from '../../src/contract/session'
import { sessions } from '../../server/db/schema/sessions'
import { refuseCommonPassword } from '../../server/services/accounts/common-password'
import { findKnownDevice } from '../../server/services/sessions/devices'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import { withServer } from './support/for-file'
import { testApp } from './support/test-app'

const server = withServer()

const NEW = 'another password of mine'
const change = (access: string, current_password: string, new_password = NEW, from = '127.0.0.1') =>
  server.post<{ message: string }>(
    '/users/me/change-password',
    { current_password, new_password },
    { ...bearer(access), 'x-forwarded-for': from },
  )
const me = async (access: string) => (await server.me(access)).status

test('a password change keeps the session that asked for it and the link of a reset, ends every other session, and is told by mail', async () => {
  const email = await server.member()
  const [here, elsewhere] = [await server.session(email), await server.session(email)]
  const reset = await server.link(email, 'reset-password')
  expect(await change(here.access_token, PASSWORD)).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('has been changed') },
  })

  expect([await me(here.access_token), await me(elsewhere.access_token)]).toEqual([200, 401])
  expect((await server.refresh(here.refresh_token)).status).toBe(200)
  expect((await server.refresh(elsewhere.refresh_token)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  expect([(await server.logIn(email)).status, (await server.logIn(email, NEW)).status]).toEqual([401, 200])
  expect(await server.mailsTo(email)).toContain('password-changed')
  // A thief who knows the password changes it: the mailbox's reader gets the account back all the same.
  expect((await server.resetTo(reset, PASSWORD)).status).toBe(200)
})

test('a password change keeps the device that asked for it known to the account, and makes strangers of all others', async () => {
  const email = await server.member()
  const [here, elsewhere] = [await server.session(email), await server.session(email)]
  const another = await server.session(await server.member())
  expect((await change(here.access_token, PASSWORD)).status).toBe(200)
  const [own] = await server.database.orm
    .select({ device: sessions.device_id })
    .from(sessions)
    .where(eq(sessions.user_id, (await server.rowOf(email)).id))
  const known = (who: string, { device_token = '' }: TokenAnswer) =>
    findKnownDevice(server.database.orm, { email: who.toLowerCase() }, device_token)
  expect([await known(email, here), await known(email, elsewhere)]).toEqual([own?.device, null])
  expect(own?.device).toBeTypeOf('string')
  expect(await known(another.user?.email ?? '', another)).toBeTypeOf('string')
})

test('a wrong current password changes nothing and ends no session', async () => {
  const email = await server.member()
  const [here, elsewhere] = [await server.session(email), await server.session(email)]
  const { status, body } = await change(here.access_token, 'a wrong password')
  expect([status, body]).toEqual([
    403,
    { detail: 'The entered password is incorrect. Please try again.', error_code: 'INCORRECT_PASSWORD' },
  ])
  expect([await me(here.access_token), await me(elsewhere.access_token)]).toEqual([200, 200])
  expect((await server.logIn(email)).status).toBe(200)
})

test('of two concurrent changes from the same password exactly one succeeds, and its password holds', async () => {
  const email = await server.member()
  const { access_token } = await server.session(email)
  const passwords = ['the first of two passwords', 'the second of two passwords']
  const answers = await Promise.all(passwords.map((password) => change(access_token, PASSWORD, password)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  for (const [i, password] of passwords.entries()) {
    expect((await server.logIn(email, password)).status).toBe(answers[i]?.status === 200 ? 200 : 401)
  }
})

test('wrong current passwords are limited for a session, whatever address they come from, and leave other sessions theirs', async () => {
  const limited = await testApp({ env: { RATE_LIMIT_FACTOR: '1' } })
  try {
    const email = await limited.member()
    const { access_token } = await limited.session(email)
    const other = await limited.session(email)
    const statuses = []
    for (let i = 0; i < 11; i++) {
      const body = { current_password: 'wrong', new_password: NEW }
      const headers = { ...bearer(access_token), 'x-forwarded-for': `203.0.113.${i}` }
      statuses.push((await limited.post('/users/me/change-password', body, headers)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    const confirm = async (password: string) => {
      // A right one takes back what was counted at its own time.
      limited.clock.advance(1)
      return (await limited.post('/auth/confirm', { method: 'password', password }, bearer(other.access_token))).status
    }
    for (let i = 0; i < 4; i++) expect(await confirm('wrong')).toBe(403)
    for (let i = 0; i < 3; i++) expect(await confirm(PASSWORD)).toBe(200)
    expect([await confirm('wrong'), await confirm('wrong')]).toEqual([403, 429])
  } finally {
    await limited.close()
  }
})

test('an account without a password is told to set one by mail', async () => {
  const email = await server.member()
  const { access_token } = await server.session(email)
  await server.setUser(email, { password_hash: null, google_subject: 'g-2' })
  const { status, body } = await change(access_token, PASSWORD)
  expect([status, body.error_code, body.detail]).toEqual([403, 'FORBIDDEN', expect.stringContaining('mail')])
  expect((await server.rowOf(email)).password_hash).toBeNull()
})

const WORDS = 'This password is one of the most common ones, or too much like one. Please choose another.'
const OWN = { email: 'mara.stone@example.org', field: 'password' } as const
const refusal = (field: string) => [
  422,
  { detail: WORDS, error_code: 'COMMON_PASSWORD', errors: [{ path: `body.${field}`, message: WORDS }] },
]

test.each([
  '12345678',
  'password',
  'PassWord',
  'QWERTYUIOP',
  'trustno1',
  'bAsKeTbAlL',
  'P@ssw0rd123',
  'Password123!',
  '12345678 ',
  'drowssap',
  'abcdefghij',
  '9876543210987',
  'x'.repeat(128),
  '19.05.1984',
  'Summer2026!',
  '2026bitcoin',
  'L3tm3in!',
  'pässword',
  'Ｐassword1',
  'pass\u200Bword9',
  'passwordPASSWORD',
  'Mara.Stone12',
  'St0ne!2026',
  '2026trustno1!',
  'mara.stone@example.org',
  'Crypto Ratio Tracker 1',
  'MaraStone2026',
  'password20261127',
  'password\n12345678',
  'p a s s w o r d',
  'password!password',
  'adminadmin1',
  'Password1Password2',
  'p@ssword!1 P@ssword!2',
  'BitcoinEthereum',
  'bitcoin1Ethereum!2026',
  'CryptoRatio2026',
  'PasswordBitcoin1',
  'mara2stone',
  'aaaaaaaaab',
])('“%s” is a common password', async (password) => {
  await expect(refuseCommonPassword(password, OWN)).rejects.toThrow(WORDS)
})

const LONG = 'passwordpasswordpassword7gK#pQ9z!mXw2'
test.each([
  PASSWORD,
  NEW,
  'xK9#mQ2$',
  'blue bicycle 42',
  'Zq!84#92!',
  '7301946258',
  '839204tokyo571936',
  'bitcoin4Kq7z',
  'horse lamp 7 horse',
  LONG,
])('“%s” is no common password', async (password) => {
  await expect(refuseCommonPassword(password, OWN)).resolves.toBeUndefined()
})

test('hardly any random number of sixteen digits is a common password', async () => {
  const numbers = Array.from({ length: 2_000 }, (_, n) =>
    String((n * 7_777_777_777_777 + 1_234_567_890_123_456) % 1e16),
  )
  const answers = await Promise.allSettled(numbers.map((number) => refuseCommonPassword(number.padStart(16, '7'), OWN)))
  expect(answers.filter(({ status }) => status === 'rejected').length).toBeLessThan(3)
})

test('registration, reset and change refuse a common password at its field, and the reset link stays usable', async () => {
  const email = newEmail()
  const made = await server.register(email, 'Football1')
  expect([made.status, made.body]).toEqual(refusal('password'))
  await server.member(email)
  const token = await server.link(email, 'reset-password')
  const reset = await server.resetTo(token, 'P@ssw0rd123')
  expect([reset.status, reset.body]).toEqual(refusal('new_password'))
  expect((await server.resetTo(token, PASSWORD)).status).toBe(200)
  const { access_token } = await server.session(email)
  const changed = await change(access_token, PASSWORD, 'Superman')
  expect([changed.status, changed.body]).toEqual(refusal('new_password'))
  expect((await server.logIn(email)).status).toBe(200)
})

test('a registered address answers a common password like an unknown address', async () => {
  const [known, unknown] = [
    await server.register(await server.member(), 'iloveyou'),
    await server.register(newEmail(), 'iloveyou'),
  ]
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
})

test('an account whose password is a common one keeps signing in', async () => {
  const email = await server.member()
  const { hashPassword } = await import('../../server/services/accounts/password')
  await server.setUser(email, { password_hash: await hashPassword('iloveyou') })
  expect((await server.logIn(email, 'iloveyou')).status).toBe(200)
})
