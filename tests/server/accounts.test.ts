import { sql } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import type { Policies } from '../../src/contract/settings'
import type { User } from '../../src/contract/session'
import { appointAdministrators } from '../../server/services/admin/superusers'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import { withServer } from './support/for-file'
import { atRealCost } from './support/password-cost'
import { START } from './support/test-clock'
import { NOTHING_ACCEPTED } from '../support/new-account'

const server = withServer({ env: { ADMIN_EMAILS: 'root@example.com, Chief@Example.com' } })

test('a user registers, verifies the email address and signs in; sign-in and /users/me return the account', async () => {
  const email = newEmail()
  const made = await server.register(email)
  expect([made.status, made.body.message]).toEqual([201, expect.stringContaining('email')])
  expect(await server.mailsTo(email)).toEqual(['verify-email'])

  const early = await server.logIn(email)
  expect([early.status, early.body.error_code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
  expect((await server.verify(await server.link(email, 'verify-email'))).status).toBe(200)

  const { status, headers, body } = await server.logIn(email)
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  const user = {
    id: (await server.rowOf(email)).id,
    email,
    has_premium_access: false,
    is_superuser: false,
    is_active: true,
    has_password: true,
    has_google: false,
    has_passkeys: false,
    has_billing_account: false,
    created_at: new Date(START).toISOString(),
    ...NOTHING_ACCEPTED,
  }
  expect(body).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'bearer',
    expires_in: 900,
    user,
    device_token: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(decodeJwt(body.access_token)).toMatchObject({ sub: user.id, exp: START / 1000 + 900 })
  expect(await server.me(body.access_token)).toMatchObject({ status: 200, body: user })
})

test('registration and sign-in ignore the case of an email address', async () => {
  const email = await server.member()
  const again = await server.register(email.toUpperCase())
  expect([again.status, again.body]).toEqual([
    409,
    { detail: 'Email already registered.', error_code: 'EMAIL_ALREADY_REGISTERED' },
  ])
  expect((await server.logIn(email.toLowerCase())).status).toBe(200)
  expect((await server.session(email.toUpperCase())).user?.email).toBe(email)
})

test('of eight concurrent registrations of one email address one succeeds, and the others leave no owner and no mail', async () => {
  const email = newEmail()
  const owners = async () => (await server.database.orm.execute(sql`SELECT id FROM owners`)).rows.length
  const before = await owners()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => server.register(i % 2 ? email : email.toLowerCase())),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  expect(await owners()).toBe(before + 1)
  expect([...(await server.mailsTo(email)), ...(await server.mailsTo(email.toLowerCase()))]).toHaveLength(1)
})

test('sign-in gives one and the same answer for unknown and invalid addresses, wrong passwords and Google-only accounts', async () => {
  const email = await server.member()
  const google = newEmail()
  await server.member(google)
  await server.setUser(google, { password_hash: null })
  const unverified = newEmail()
  await server.register(unverified)
  const answers = await Promise.all([
    server.logIn(email, 'wrong'),
    server.logIn(newEmail()),
    server.logIn(google),
    server.logIn(unverified, 'wrong'),
    server.logIn('no address at all'),
    server.logIn('a\u0000b@example.com'),
    server.logIn("' OR 1=1 --"),
  ])
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([401, { detail: 'Incorrect email or password.', error_code: 'INVALID_CREDENTIALS' }])
  }
})

test('a disabled account cannot sign in, and only the right password reveals that the account is disabled', async () => {
  const email = await server.member()
  await server.setUser(email, { is_active: false })
  expect((await server.logIn(email, 'wrong')).body.error_code).toBe('INVALID_CREDENTIALS')
  expect((await server.logIn(email)).body.error_code).toBe('FORBIDDEN')
})

test('sign-in accepts a password in any Unicode composition, and the password is stored only as argon2id', async () => {
  const email = await atRealCost(() => server.member(newEmail(), 'cr\u00e8me br\u00fbl\u00e9e'))
  expect((await server.logIn(email, 'cre\u0300me bru\u0302le\u0301e')).status).toBe(200)
  expect((await server.logIn(email, 'creme brulee')).status).toBe(401)
  expect((await server.rowOf(email)).password_hash).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
  )
})

test.each([
  ['7 characters', { email: 'x@example.com', password: '1234567' }],
  ['129 characters', { email: 'x@example.com', password: 'x'.repeat(129) }],
  ['no address', { email: 'x@', password: PASSWORD }],
  ['another member', { email: 'x@example.com', password: PASSWORD, is_superuser: true }],
])('registration is refused with VALIDATION_ERROR: %s', async (_fault, body) => {
  expect(await server.post('/users/register', body)).toMatchObject({
    status: 422,
    body: { error_code: 'VALIDATION_ERROR' },
  })
})

test('registration accepts passwords of 8 and of 128 characters', async () => {
  for (const password of ['a7k-d.2x', 'a7k-d.2x'.repeat(16)])
    expect((await server.register(newEmail(), password)).status).toBe(201)
})

test('sign-in accepts form-encoded bodies only, and registration refuses form-encoded bodies', async () => {
  const email = await server.member()
  const form = new URLSearchParams({ username: email, password: PASSWORD })
  const send = async (url: string, type: string, payload: string) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api/v1${url}`,
      headers: { 'content-type': type },
      payload,
    })
    return [answer.statusCode, answer.json<{ error_code?: string }>().error_code]
  }
  const FORM = 'application/x-www-form-urlencoded'
  const REFUSED = [422, 'VALIDATION_ERROR']
  expect(await send('/auth/login', FORM, `${form.toString()}&grant_type=password`)).toEqual([200, undefined])
  expect(await send('/auth/login', `${FORM}; charset=UTF-8`, form.toString())).toEqual([200, undefined])
  expect(await send('/auth/login', 'application/json', JSON.stringify(Object.fromEntries(form)))).toEqual(REFUSED)
  for (const payload of [
    '',
    'username=a',
    `${form.toString()}&password=again`,
    `${form.toString()}&admin=1`,
    'username[]=a&password=b',
    '%',
    `username=${'x'.repeat(300)}&password=x`,
  ]) {
    expect(await send('/auth/login', FORM, payload), payload).toEqual(REFUSED)
  }
  expect(await send('/users/register', FORM, `email=x@example.com&password=${PASSWORD}`)).toEqual(REFUSED)
})

test('ADMIN_EMAILS makes verified accounts superusers, upon verification or when the list is read again', async () => {
  const { body } = await server.register('chief@example.com')
  expect((await server.rowOf('chief@example.com')).is_superuser).toBe(false)
  const proof = { registration_secrets: [body.registration_secret ?? ''] }
  await server.verify(await server.link('chief@example.com', 'verify-email'), proof)
  expect((await server.session('chief@example.com')).user?.is_superuser).toBe(true)
  expect((await server.session(await server.member())).user?.is_superuser).toBe(false)

  const [later, pending] = [await server.member(), newEmail()]
  await server.register(pending)
  await appointAdministrators(server.database, { ADMIN_EMAILS: [later.toUpperCase(), pending] }, server.clock())
  expect([(await server.rowOf(later)).is_superuser, (await server.rowOf(pending)).is_superuser]).toEqual([true, false])
  await appointAdministrators(server.database, { ADMIN_EMAILS: [] }, server.clock())
  expect((await server.rowOf(later)).is_superuser).toBe(true)
})

test('accepting the policies records their versions and the time, and accepting again changes neither', async () => {
  const { access_token } = await server.session(await server.member())
  const accept = (body: object) => server.post<User>('/users/me/accept-policies', body, bearer(access_token))
  const both = { terms_accepted: true, privacy_accepted: true }
  for (const body of [{}, { ...both, terms_accepted: false }, { terms_accepted: true }]) {
    expect((await accept(body)).status).toBe(422)
  }
  const { terms, privacy } = (await server.app.inject('/api/v1/policies/current')).json<Policies>()
  const at = new Date(server.clock()).toISOString()
  const accepted = {
    accepted_terms_version: terms.version,
    accepted_terms_at: at,
    accepted_privacy_version: privacy.version,
    accepted_privacy_at: at,
  }
  expect(await accept(both)).toMatchObject({ status: 200, body: accepted })
  server.clock.advance(1000)
  expect(await accept(both)).toMatchObject({ status: 200, body: accepted })
  expect((await server.me(access_token)).body).toMatchObject(accepted)
})
