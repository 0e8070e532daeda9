import { beforeEach, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { attempts } from '../../server/db/schema/sessions'
import { removeOutdated } from '../../server/services/retention'
import { TooManyAttempts } from '../../server/http/api-error'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import { withServer } from './support/for-file'
import { newUser } from './support/new-user'

let email: string
const server = withServer({ env: { RATE_LIMIT_FACTOR: '1' } })

let addresses = 0
/** Another address each time, so that the limits by address do not apply here. */
const address = () => `203.0.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`
const tryTo = async (password: string, who = email) => (await server.logIn(who, password, address())).status
const times = <T>(count: number, what: () => Promise<T>) => Promise.all(Array.from({ length: count }, what))

beforeEach(async () => {
  server.clock.advance(2 * HOUR)
  email = newEmail()
  await newUser(server.database, server.clock(), { email, password: PASSWORD })
})

test('after ten wrong passwords from any IP addresses an account refuses even the right password for a minute', async () => {
  for (let i = 0; i < 10; i++) expect(await tryTo('wrong')).toBe(401)
  const { status, headers, body } = await server.logIn(email.toUpperCase(), PASSWORD, address())
  expect([status, headers['retry-after'], body.error_code]).toEqual([429, '60', 'RATE_LIMITED'])
  expect(body.detail).toBe('Too many attempts. Please try again in 60 seconds.')
  server.clock.advance(MINUTE - 1)
  expect((await server.logIn(email, PASSWORD, address())).headers['retry-after']).toBe('1')
  server.clock.advance(1)
  expect(await tryTo(PASSWORD)).toBe(200)
})

test('sign-in limits an email address without an account exactly like an address with an account', async () => {
  const nobody = newEmail()
  const known: unknown[] = []
  for (const who of [email, nobody]) {
    for (let i = 0; i < 10; i++) await tryTo('wrong', who)
    const { status, body, headers } = await server.logIn(who, 'wrong', address())
    known.push([status, body, headers['retry-after']])
  }
  expect(known[0]).toEqual(known[1])
})

test('sign-in allows an account at most ten wrong passwords in any sliding minute', async () => {
  const statuses: number[] = []
  for (let second = 0; second < 180; second += 3) {
    statuses.push(await tryTo('wrong'))
    server.clock.advance(3000)
  }
  for (let from = 0; from + 20 <= statuses.length; from++) {
    expect(statuses.slice(from, from + 20).filter((status) => status === 401).length).toBeLessThanOrEqual(10)
  }
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(30)
})

test('concurrent sign-ins count like sequential ones: exactly ten of 40 with a wrong password are answered 401', async () => {
  const statuses = await times(40, () => tryTo('wrong'))
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
})

test('sign-ins counted by a server whose clock was ahead do not lengthen the wait: attempts ahead of now are ignored', async () => {
  // Less than the window of the limit ahead, so that they would be taken for recent until long after.
  server.clock.advance(50_000)
  await times(10, () => tryTo('wrong'))
  server.clock.advance(-50_000)
  expect(await tryTo('wrong')).toBe(401)
  await times(9, () => tryTo('wrong'))
  expect(await tryTo(PASSWORD)).toBe(429)
  server.clock.advance(MINUTE)
  expect(await tryTo(PASSWORD)).toBe(200)
})

test('sign-ins counted by a process whose clock is two seconds ahead count for the others', async () => {
  server.clock.advance(2000)
  await times(10, () => tryTo('wrong'))
  server.clock.advance(-2000)
  expect(await tryTo('wrong')).toBe(429)
})

test.each([
  [1, '1 second'],
  [120, '120 seconds'],
  [121, '3 minutes'],
  [3600, '60 minutes'],
  [7200, '120 minutes'],
  [7201, '3 hours'],
  [23 * 3600, '23 hours'],
])('the refusal of a limit that ends in %i seconds tells to wait %s', (seconds, words) => {
  const refusal = new TooManyAttempts(seconds)
  expect([refusal.retryAfter, refusal.message]).toEqual([seconds, `Too many attempts. Please try again in ${words}.`])
})

test('sign-ins with the right password do not count towards the limit on wrong passwords', async () => {
  for (let i = 0; i < 15; i++) expect(await tryTo(PASSWORD)).toBe(200)
  for (let i = 0; i < 9; i++) expect(await tryTo('wrong')).toBe(401)
  expect(await tryTo(PASSWORD)).toBe(200)
})

test('a password reset lifts the sign-in limit of the account at once', async () => {
  for (let i = 0; i < 10; i++) await tryTo('wrong')
  expect(await tryTo(PASSWORD)).toBe(429)
  await server.resetTo(await server.link(email, 'reset-password'), 'another password')
  expect(await tryTo('another password')).toBe(200)
})

test('an email address may request five reset and five verification mails an hour, with or without an account', async () => {
  for (const who of [email, newEmail()]) {
    for (const call of ['request-password-reset', 'resend-verification-email']) {
      const ask = async () =>
        (await server.post(`/users/${call}`, { email: who }, { 'x-forwarded-for': address() })).status
      for (let i = 0; i < 5; i++) expect(await ask()).toBe(200)
      expect(await ask()).toBe(429)
    }
  }
  server.clock.advance(HOUR)
  expect((await server.post('/users/request-password-reset', { email })).status).toBe(200)
})

test('account deletion accepts ten wrong passwords an hour, so an access token does not help to guess the password', async () => {
  const { access_token } = await server.session(email)
  const remove = async (password: string) =>
    (await server.ask('DELETE', '/users/me', { password }, { ...bearer(access_token), 'x-forwarded-for': address() }))
      .status
  const statuses = await times(14, () => remove('wrong'))
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429, 429, 429])
  expect(await remove(PASSWORD)).toBe(429)
  server.clock.advance(HOUR)
  const { access_token: fresh } = await server.session(email)
  expect((await server.ask('DELETE', '/users/me', { password: PASSWORD }, bearer(fresh))).status).toBe(200)
})

test('the server refuses the 61st sign-in and the 21st reset request from one IP address, and answers its other calls', async () => {
  const from = '198.51.100.77'
  const statuses = []
  for (let i = 0; i < 61; i++) statuses.push((await server.logIn(`somebody-${i}@example.com`, 'wrong', from)).status)
  expect([statuses.at(59), statuses.at(60)]).toEqual([401, 429])
  const mails = []
  for (let i = 0; i < 21; i++) {
    mails.push(
      (
        await server.post(
          '/users/request-password-reset',
          { email: `somebody-${i}@example.com` },
          { 'x-forwarded-for': from },
        )
      ).status,
    )
  }
  expect([mails.at(19), mails.at(20)]).toEqual([200, 429])
  // All other requests go on.
  expect((await server.app.inject({ url: '/api/v1/config', remoteAddress: from })).statusCode).toBe(200)
})

test('stored sign-in attempts do not contain the email address and are removed after a day, after a lock-out another day later', async () => {
  await tryTo('wrong')
  const rows = async () => server.rows(attempts)
  const [local] = email.toLowerCase().split('@')
  expect(JSON.stringify(await rows()).toLowerCase()).not.toContain(local)
  await removeOutdated(server.database, 'expire-sessions', server.clock())
  expect((await rows()).length).toBeGreaterThan(0)
  server.clock.advance(DAY + 1)
  await removeOutdated(server.database, 'expire-sessions', server.clock())
  expect((await rows()).map(({ key }) => key.split(' ')[0]).filter((what) => what !== 'locked-out-mail')).toEqual([])
  server.clock.advance(DAY)
  await removeOutdated(server.database, 'expire-sessions', server.clock())
  expect(await rows()).toEqual([])
})

test('sign-in attempts recorded while the clock was a day ahead do not lock the account', async () => {
  for (let i = 0; i < 10; i++) await tryTo('wrong')
  server.clock.advance(-DAY)
  expect(await tryTo(PASSWORD)).toBe(200)
  server.clock.advance(DAY)
})
