import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DAY, HOUR } from '../../src/domain/granularity'
import { mail_tokens } from '../../server/db/schema/mail'
import { newEmail, PASSWORD, type Answer } from './support/accounts'
import { withServer } from './support/for-file'
import { verdict } from './support/person'

const server = withServer({ env: { ADMIN_EMAILS: 'boss@example.com' } })

const NEW = 'another password'
const INVALID = [400, 'INVALID_LINK']
/** The answer to a link whose address is verified: no code, and nothing of whose address it is. */
const ALREADY = [200, { message: 'Your email address is already verified. You can log in.' }]
const answer = ({ status, body }: Answer) => [status, body]
const unverified = async () => {
  const email = newEmail()
  await server.register(email)
  return email
}

test.each(['resend-verification-email', 'request-password-reset'])(
  '%s gives the same answer for a verified, an unverified and an unknown email address',
  async (call) => {
    const known = await server.member()
    const [pending, nobody] = [await unverified(), newEmail()]
    const answers = await Promise.all(
      [known, pending, nobody].map((email) => server.post<{ message: string }>(`/users/${call}`, { email })),
    )
    const [first] = answers
    expect(first).toMatchObject({
      status: 200,
      body: { message: expect.stringMatching(/^If an account with this email exists/) },
    })
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([200, first?.body])
      expect(Object.keys(headers)).toEqual(Object.keys(first?.headers ?? {}))
    }
    const kind = call === 'request-password-reset' ? 'reset-password' : 'verify-email'
    for (const email of [known, nobody]) expect(await server.mailsTo(email)).toContain(kind)
    expect((await server.post(`/users/${call}`, { email: 'nonsense' })).status).toBe(422)
  },
)

test('a verification link verifies only within a day', async () => {
  const email = await unverified()
  const token = await server.link(email, 'verify-email')
  server.clock.advance(DAY - 1)
  expect(verdict(await server.verify(token))).toEqual([200, undefined])

  const late = await unverified()
  const old = await server.link(late, 'verify-email')
  server.clock.advance(DAY)
  expect(verdict(await server.verify(old))).toEqual(INVALID)
  expect((await server.rowOf(late)).email_verified_at).toBeNull()
})

test('a verification link that was used says until it expires that the address is already verified, and changes nothing', async () => {
  const email = await unverified()
  const [token, other] = [await server.link(email, 'verify-email'), await server.link(email, 'verify-email')]
  expect((await server.verify(token)).body).toMatchObject({ email })
  const before = await server.rowOf(email)
  for (const again of [token, other]) expect(answer(await server.verify(again))).toEqual(ALREADY)
  expect(await server.rowOf(email)).toEqual(before)
  server.clock.advance(DAY)
  expect(verdict(await server.verify(token))).toEqual(INVALID)
})

test('a verification link says after a password reset that the address is already verified', async () => {
  const email = await unverified()
  const token = await server.link(email, 'verify-email')
  expect((await server.resetTo(await server.link(email, 'reset-password'), NEW)).status).toBe(200)
  expect(answer(await server.verify(token))).toEqual(ALREADY)
})

test('a password reset link works once and only within an hour', async () => {
  const email = await server.member()
  const token = await server.link(email, 'reset-password')
  server.clock.advance(HOUR - 1)
  expect(verdict(await server.resetTo(token, NEW))).toEqual([200, undefined])
  expect(verdict(await server.resetTo(token, 'a third password'))).toEqual(INVALID)
  expect([(await server.logIn(email, PASSWORD)).status, (await server.logIn(email, NEW)).status]).toEqual([401, 200])

  const old = await server.link(email, 'reset-password')
  server.clock.advance(HOUR)
  expect(verdict(await server.resetTo(old, 'a third password'))).toEqual(INVALID)
  expect((await server.logIn(email, NEW)).status).toBe(200)
})

test('a mailed link works only for its own purpose and its own account', async () => {
  const [email, other] = [await unverified(), await unverified()]
  const [verifying, resetting] = [await server.link(email, 'verify-email'), await server.link(email, 'reset-password')]
  expect(verdict(await server.resetTo(verifying, NEW))).toEqual(INVALID)
  expect(verdict(await server.verify(resetting))).toEqual(INVALID)
  for (const token of ['x', '\u0000', verifying.toLowerCase(), `${verifying}=`]) {
    expect(verdict(await server.verify(token))).toEqual(INVALID)
    expect(verdict(await server.resetTo(token, NEW))).toEqual(INVALID)
  }
  expect(verdict(await server.verify(verifying))).toEqual([200, undefined])
  expect((await server.rowOf(email)).email_verified_at).not.toBeNull()
  expect((await server.rowOf(other)).email_verified_at).toBeNull()
})

test('a refused new password leaves the password reset link usable', async () => {
  const token = await server.link(await server.member(), 'reset-password')
  expect((await server.resetTo(token, 'short')).status).toBe(422)
  expect((await server.resetTo(token, NEW)).status).toBe(200)
})

test('using one verification link invalidates the other verification link of the account, but not its reset link', async () => {
  const email = await unverified()
  const [a, b] = [await server.link(email, 'verify-email'), await server.link(email, 'verify-email')]
  const resetting = await server.link(email, 'reset-password')
  expect(verdict(await server.verify(b))).toEqual([200, undefined])
  expect(answer(await server.verify(a))).toEqual(ALREADY)
  // Verifying says nothing about the password.
  expect(verdict(await server.resetTo(resetting, NEW))).toEqual([200, undefined])
})

test('of several concurrent uses of one verification link or reset link exactly one verifies or resets', async () => {
  for (let round = 0; round < 5; round++) {
    const email = await unverified()
    const token = await server.link(email, 'verify-email')
    const verified = await Promise.all([1, 2, 3, 4].map(() => server.verify(token)))
    expect(verified.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(verified.filter(({ body }) => 'email' in body)).toHaveLength(1)

    const resetting = await server.link(email, 'reset-password')
    const passwords = ['first password', 'second password', 'third password']
    const reset = await Promise.all(passwords.map((password) => server.resetTo(resetting, password)))
    expect(reset.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    const won = passwords[reset.findIndex(({ status }) => status === 200)]
    for (const password of passwords)
      expect((await server.logIn(email, password)).status).toBe(password === won ? 200 : 401)
  }
})

test('a password reset ends every session, verifies the email address and notifies the user by mail', async () => {
  const email = await server.member()
  const open = [await server.session(email), await server.session(email)]
  await server.resetTo(await server.link(email, 'reset-password'), NEW)
  for (const { access_token, refresh_token } of open) {
    const asked = await server.me(access_token)
    expect([asked.status, asked.body.error_code]).toEqual([401, 'TOKEN_EXPIRED'])
    expect((await server.refresh(refresh_token)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  }
  expect(await server.mailsTo(email)).toContain('password-changed')

  const pending = await unverified()
  await server.resetTo(await server.link(pending, 'reset-password'), NEW)
  expect((await server.logIn(pending, NEW)).status).toBe(200)
  await server.register('boss@example.com')
  await server.resetTo(await server.link('boss@example.com', 'reset-password'), NEW)
  expect((await server.rowOf('boss@example.com')).is_superuser).toBe(true)
})

test('a sign-in with the old password that races a password reset leaves no usable session', async () => {
  for (let round = 0; round < 8; round++) {
    const email = await server.member()
    const token = await server.link(email, 'reset-password')
    const [signedIn, reset] = await Promise.all([server.logIn(email), server.resetTo(token, NEW)])
    expect(reset.status).toBe(200)
    expect([200, 401]).toContain(signedIn.status)
    if (signedIn.status === 200) expect((await server.refresh(signedIn.body.refresh_token)).status).toBe(401)
  }
})

test('a Google-only account gets a password by a password reset and stays linked to Google', async () => {
  const email = await server.member()
  await server.setUser(email, { password_hash: null, google_subject: 'g-1' })
  await server.resetTo(await server.link(email, 'reset-password'), NEW)
  const { status, body } = await server.logIn(email, NEW)
  expect([status, body.user?.has_password]).toEqual([200, true])
  expect((await server.rowOf(email)).google_subject).toBe('g-1')
})

test(
  'a random reset token is answered faster than a valid token, which costs a password hash',
  { tags: ['full'] },
  async () => {
    const took = async (token: string) => {
      const start = performance.now()
      await server.resetTo(token, NEW)
      return performance.now() - start
    }
    const tokens = await Promise.all([1, 2, 3].map(async () => server.link(await server.member(), 'reset-password')))
    const good: number[] = []
    const bad: number[] = []
    for (const token of tokens) {
      bad.push(await took('at random'))
      good.push(await took(token))
    }
    expect(Math.min(...bad)).toBeLessThan(Math.min(...good))
  },
)

test('the mail tables do not contain verification or reset tokens in plain text', async () => {
  const email = await unverified()
  const tokens = [await server.link(email, 'verify-email'), await server.link(email, 'reset-password')]
  const tables = JSON.stringify([
    await server.rows(mail_tokens),
    (await server.database.orm.execute(sql`SELECT * FROM mail_requests`)).rows,
  ])
  for (const token of tokens) expect(tables).not.toContain(token)
})
