import { afterEach, expect, test } from 'vitest'
import { removeOutdated } from '../../server/services/retention'
import { MINUTE } from '../../src/domain/granularity'
import { newEmail } from './support/accounts'
import { withDatabase, withServer } from './support/for-file'
import { testApp, type TestApp } from './support/test-app'

/** 20 mails a minute and 60 an hour become 2 and 6. */
const env = { RATE_LIMIT_FACTOR: '0.1' }
const database = withDatabase()
const one = withServer({ database, env })
const two = withServer({ database, env })
afterEach(() => database.pool.query('DELETE FROM address_counts'))

const askForMail = async ({ app }: TestApp, remoteAddress: string) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/users/request-password-reset',
    payload: { email: newEmail() },
    remoteAddress,
  })
  return answer.statusCode
}
const passMinute = () => {
  for (const { clock } of [one, two]) clock.advance(MINUTE)
}
const counted = async () =>
  (await database.pool.query('SELECT key, count FROM address_counts ORDER BY key')).rows as {
    key: string
    count: number
  }[]

test('the mails that one address asks for are counted over two processes, and counted anew after a minute', async () => {
  const address = '203.0.113.1'
  expect([await askForMail(one, address), await askForMail(two, address)]).toEqual([200, 200])
  expect([await askForMail(two, address), await askForMail(one, address)]).toEqual([429, 429])
  expect(await askForMail(two, '203.0.113.2')).toBe(200)
  // The processes' own counters go by the time of the machine, where no minute has passed: another process takes over.
  passMinute()
  const next = await testApp({ database, env, deps: { clock: one.clock } })
  expect(await askForMail(next, address)).toBe(200)
  await next.close()
})

test('an address limit over all processes answers 429 RATE_LIMITED and says in Retry-After when to come again', async () => {
  const address = '203.0.113.3'
  const ask = ({ app }: TestApp) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/users/request-password-reset',
      payload: { email: newEmail() },
      remoteAddress: address,
    })
  await ask(one)
  await ask(one)
  one.clock.advance(20_000)
  two.clock.advance(20_000)
  const refused = await ask(two)
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
    429,
    '40',
    { error_code: 'RATE_LIMITED' },
  ])
})

test('thirty requests for mail at once over two processes pass an address limit of two exactly twice', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => askForMail([one, two][i % 2]!, `2001:db8:77:1::${i}`)),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 429)).toHaveLength(28)
})

test('requests for mail from many networks of one IPv6 /48 are refused after 16 times the limit of one address', async () => {
  // Each from a /56 of its own.
  const from = (i: number) => `2001:db8:5:${i.toString(16)}00::1`
  const statuses = []
  for (let i = 0; i < 34; i++) statuses.push(await askForMail([one, two][i % 2]!, from(i)))
  expect(statuses.indexOf(429)).toBe(32)
  expect(statuses.slice(32)).toEqual([429, 429])
  expect(await askForMail(one, '2001:db8:6::1')).toBe(200)
})

test('requests for mail from many networks of one IPv6 /56 are refused after four times the limit of one address', async () => {
  const statuses = []
  for (let i = 0; i < 10; i++)
    statuses.push(await askForMail([one, two][i % 2]!, `2001:db8:7:1${i.toString(16).padStart(2, '0')}::1`))
  expect(statuses.indexOf(429)).toBe(8)
  expect(await askForMail(two, '2001:db8:7:2ff::1')).toBe(200)
})

test('a refused address takes nothing of the limits of its neighbours', async () => {
  for (let i = 0; i < 9; i++) await askForMail([one, two][i % 2]!, '2001:db8:8:1::1')
  expect([...new Set((await counted()).map(({ count }) => count))]).toEqual([2])
})

test('the counts of addresses hold no address, and are removed when they no longer count', async () => {
  await askForMail(one, '203.0.113.9')
  const keys = (await counted()).map(({ key }) => key)
  expect(keys).toHaveLength(2)
  expect(keys.join(' ')).not.toContain('203.0.113.9')
  await removeOutdated(database, 'expire-sessions', one.clock() + MINUTE + 1)
  expect(await counted()).toHaveLength(1)
})

test('a period of an address count that ends later than it can is begun anew', async () => {
  await askForMail(one, '203.0.113.10')
  await database.pool.query('UPDATE address_counts SET count = 1000000, ends_at = ends_at + 86400000')
  expect(await askForMail(one, '203.0.113.10')).toBe(200)
  expect((await counted()).map(({ count }) => count)).toEqual([1, 1])
})
