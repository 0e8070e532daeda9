import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { known_devices } from '../../server/db/schema/sessions'
import { mail_requests } from '../../server/db/schema/mail'
import { removeOutdated } from '../../server/services/retention'
import { hashOfSecret } from '../../server/services/secrets'
import { deviceHeader, newEmail, PASSWORD } from './support/accounts'
import { withServer } from './support/for-file'
import { newUser } from './support/new-user'
import { userOf } from './support/user'

let email: string
const server = withServer({ env: { RATE_LIMIT_FACTOR: '1' } })
beforeEach(async () => {
  server.clock.advance(2 * DAY)
  email = newEmail()
  await newUser(server.database, server.clock(), { email, password: PASSWORD })
})

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
let addresses = 0
/** Another one each time, so that the limits by address do not speak here. */
const address = () => `203.0.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`
/** A login from wherever; with the token of a device, from that device. */
const from = (device: string | undefined, password = PASSWORD, who = email, ip = address()) =>
  server.logIn(who, password, ip, { 'user-agent': ANDROID, ...deviceHeader(device) })
const status = async (device: string | undefined, password = 'wrong', who = email) =>
  (await from(device, password, who)).status
/** The token of a device that has just logged in for the first time. */
async function newDevice(): Promise<string> {
  const { status, body } = await from(undefined)
  if (status !== 200 || body.device_token === undefined) throw new Error(JSON.stringify(body))
  return body.device_token
}
const times = <T>(count: number, what: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => what(i)))
const mails = async (kind: string) =>
  (await server.rows(mail_requests)).filter(
    (mail) => mail.kind === kind && mail.email?.toLowerCase() === email.toLowerCase(),
  )
const devices = async () => server.rows(known_devices, eq(known_devices.user_id, (await server.rowOf(email)).id))

test('during 200 parallel wrong logins from 50 addresses the owner logs in at once from a device that logged in before', async () => {
  const device = await newDevice()
  const ips = Array.from({ length: 50 }, address)
  const attack = times(200, (i) => server.logIn(email, `guess ${i}`, ips[i % 50]))
  const [{ status, body }, strangers] = await Promise.all([from(device), attack])
  expect([status, body.user?.email]).toEqual([200, email])
  expect(strangers.filter((answer) => answer.status === 401).length).toBeLessThanOrEqual(10)
  expect((await from(device)).status).toBe(200)
  expect((await from(undefined)).status).toBe(429)
})

test('wrong passwords from a known device lock that device, and neither strangers nor another known device', async () => {
  const [device, other] = [await newDevice(), await newDevice()]
  for (let i = 0; i < 10; i++) expect(await status(device)).toBe(401)
  expect(await status(device, PASSWORD)).toBe(429)
  expect(await status(other, PASSWORD)).toBe(200)
  expect(await status(undefined, PASSWORD)).toBe(200)
  server.clock.advance(MINUTE)
  expect(await status(device, PASSWORD)).toBe(200)
})

test('every spelling of an address in capitals shares the counter of strangers and that of a known device', async () => {
  const device = await newDevice()
  const spellings = [email, email.toUpperCase(), email.toLowerCase()]
  for (let i = 0; i < 10; i++) expect(await status(undefined, 'wrong', spellings[i % 3])).toBe(401)
  for (const who of spellings) expect(await status(undefined, 'wrong', who)).toBe(429)
  for (let i = 0; i < 10; i++) expect(await status(device, 'wrong', spellings[i % 3])).toBe(401)
  for (const who of spellings) expect(await status(device, 'wrong', who)).toBe(429)
})

test('an account answers at most 100 wrong passwords in any hour, from strangers, known devices and a session together', async () => {
  const known = [await newDevice(), await newDevice(), await newDevice()]
  const signedIn = userOf(server, (await server.rowOf(email)).id)
  const removal = async () => (await signedIn.ask('DELETE', '/users/me', { password: 'wrong' })).status
  const answered: number[] = []
  const PAUSE_MS = 6 * MINUTE
  const begun = server.clock()
  for (let step = 0; step < 14; step++) {
    const tries = [
      ...(await times(11, () => status(undefined))),
      ...(await times(5, () => status(known[step % 3]))),
      ...(await times(2, () => removal())),
    ]
    for (const verdict of tries) if (verdict === 401 || verdict === 403) answered.push(server.clock())
    server.clock.advance(PAUSE_MS)
  }
  for (let from = begun; from < server.clock(); from += PAUSE_MS) {
    expect(answered.filter((at) => at > from - HOUR && at <= from).length).toBeLessThanOrEqual(100)
  }
  expect(answered.length).toBeGreaterThan(100)
})

test('a login that is refused for the minute’s limit does not count towards that of the hour', async () => {
  for (let i = 0; i < 80; i++) await status(undefined)
  server.clock.advance(MINUTE)
  expect(await status(undefined)).toBe(401)
})

test('after 60 wrong passwords an hour strangers are told how many minutes to wait, and a right password does not help', async () => {
  for (let i = 0; i < 60; i++) {
    expect(await status(undefined)).toBe(401)
    server.clock.advance(10_000)
  }
  const { status: refused, headers, body } = await from(undefined)
  expect([refused, headers['retry-after'], body.detail]).toEqual([
    429,
    '3000',
    'Too many attempts. Please try again in 50 minutes.',
  ])
  expect(await mails('locked-out')).toHaveLength(1)
})

test('a password reset lets in the browser that made it, by another token than before, also while strangers go on guessing', async () => {
  const before = await newDevice()
  await times(12, () => status(undefined))
  const { status: reset, body } = await server.post<{ device_token?: string }>(
    '/users/reset-password',
    { token: await server.link(email, 'reset-password'), new_password: 'another good password' },
    deviceHeader(before),
  )
  expect(reset).toBe(200)
  await times(12, () => status(undefined))
  expect(await status(undefined, 'another good password')).toBe(429)
  expect(await status(before, 'another good password')).toBe(429)
  expect(await status(body.device_token, 'another good password')).toBe(200)
  expect(await mails('new-device')).toEqual([])
})

test('a lock-out is mailed to the owner once a day, however often and from wherever it happens', async () => {
  const device = await newDevice()
  for (const who of [undefined, device, undefined]) {
    await times(12, () => status(who))
    server.clock.advance(7 * HOUR)
  }
  expect(await mails('locked-out')).toHaveLength(1)
  server.clock.advance(4 * HOUR)
  await times(12, () => status(undefined))
  expect(await mails('locked-out')).toHaveLength(2)
})

test('a login on an unknown device is mailed to the owner with the name of that device, and the first login is not', async () => {
  const first = await newDevice()
  expect(await mails('new-device')).toEqual([])
  await newDevice()
  expect(await mails('new-device')).toMatchObject([{ device_label: 'Chrome on Android' }])
  expect((await from(first)).body.device_token).toBeUndefined()
  expect(await mails('new-device')).toHaveLength(1)
})

test('the token of a device is stored as its hash alone, and is worth nothing at another account', async () => {
  const device = await newDevice()
  expect(await devices()).toMatchObject([{ token_hash: hashOfSecret(device) }])
  const other = newEmail()
  await newUser(server.database, server.clock(), { email: other, password: PASSWORD })
  await times(12, () => status(undefined, 'wrong', other))
  expect(await status(device, PASSWORD, other)).toBe(429)
})

test('one browser is known to all accounts that logged in there, by one token', async () => {
  const device = await newDevice()
  const other = newEmail()
  await newUser(server.database, server.clock(), { email: other, password: PASSWORD })
  expect((await from(device, PASSWORD, other)).body.device_token).toBeUndefined()
  await times(12, () => status(undefined, 'wrong', other))
  expect(await status(device, PASSWORD, other)).toBe(200)
})

test('a header that is no token of a device is ignored, and the login gets a new token', async () => {
  for (const odd of ['', 'x', 'a'.repeat(44), '%'.repeat(43)]) {
    expect((await from(odd)).body.device_token, odd).toMatch(/^[\w-]{43}$/)
  }
})

test('an account knows ten devices: the one that logged in longest ago is forgotten for an eleventh', async () => {
  const known: string[] = []
  for (let i = 0; i < 11; i++) {
    known.push(await newDevice())
    server.clock.advance(MINUTE)
  }
  expect(await devices()).toHaveLength(10)
  await times(12, () => status(undefined))
  expect(await status(known[0], PASSWORD)).toBe(429)
  expect(await status(known[1], PASSWORD)).toBe(200)
})

test('a device is forgotten 400 days after its last login, and a password reset forgets all', async () => {
  const device = await newDevice()
  server.clock.advance(399 * DAY)
  await removeOutdated(server.database, 'expire-sessions', server.clock())
  await times(12, () => status(undefined))
  expect(await status(device, PASSWORD)).toBe(200)
  server.clock.advance(401 * DAY)
  await removeOutdated(server.database, 'expire-sessions', server.clock())
  expect(await devices()).toEqual([])

  const again = await newDevice()
  await server.resetTo(await server.link(email, 'reset-password'), 'another good password')
  expect((await devices()).map(({ token_hash }) => token_hash)).not.toContain(hashOfSecret(again))
})
