import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COST_OF_WRITES } from '../../server/plugins/rate-limits'
import { BILLING_WEBHOOK } from '../../server/services/billing/payment-provider'
import { channelRoutes } from '../../src/contract/channels'
import type { Route } from '../../src/contract/route'
import { API_BASE, routes } from '../../src/contract/routes'
import { testApp, type TestApp } from './support/test-app'

const TOKEN = 'of the one who scrapes'.replaceAll(' ', '-')
let server: TestApp
beforeAll(async () => {
  // 1,200 reads, 600 writes, 300 probes and 3,000 events a minute become 12, 6, 3 and 30.
  server = await testApp({ env: { RATE_LIMIT_FACTOR: '0.01', METRICS_TOKEN: TOKEN } })
})
afterAll(() => server.close())

test('a write beyond the rate limit answers 429 RATE_LIMITED with Retry-After, and reads still succeed', async () => {
  const me = server.guest()
  const statuses = []
  for (let i = 0; i < 7; i++) statuses.push((await me.reorder([])).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  const refused = await me.reorder([])
  expect(refused.body).toEqual({ detail: expect.stringContaining('Too many requests.'), error_code: 'RATE_LIMITED' })
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(await me.list()).toEqual([])
})

const writes = Object.entries<Route>({ ...routes, ...channelRoutes }).filter(([, { method }]) => method !== 'GET')

test('every call that writes is told as one that costs a password, a mail, or neither', () => {
  expect(Object.keys(COST_OF_WRITES).toSorted()).toEqual(writes.map(([name]) => name).toSorted())
})

/** The calls whose service checks a password, a passkey or a code of Google's, and those that have a mail sent or ask
 * a host that the caller names. */
const COSTLY = {
  password: [
    'changePassword',
    'confirm',
    'deleteMe',
    'googleCallback',
    'linkGoogle',
    'logIn',
    'logInByPasskey',
    'resetPassword',
    'secondFactor',
    'verifyEmail',
  ],
  mail: [
    'addPasskey',
    'createChannel',
    'deleteMeOauth',
    'disownPasskey',
    'feedback',
    'register',
    'registerByPasskey',
    'removePasskey',
    'requestPasswordReset',
    'resendVerification',
    'testChannel',
    'unlinkGoogle',
    'updateChannel',
  ],
} as const

test.each(writes)(
  'a second call of %s from one address within a minute is refused if it hashes a password or sends a mail, and only then',
  async (name, { method, path }) => {
    // 60 that cost a password and 20 that cost a mail become 1 each.
    const url = `${API_BASE}${path.replaceAll(/:\w+/g, '0b6e7d3c-5d6a-4a55-9d53-1f0c7d3f7a11')}`
    const remoteAddress = `192.0.2.${1 + writes.findIndex(([other]) => other === name)}`
    const ask = async () => (await server.app.inject({ method, url, remoteAddress })).statusCode
    const [first, second] = [await ask(), await ask()]
    const costly: readonly string[] = [...COSTLY.password, ...COSTLY.mail]
    expect([first === 429, second === 429]).toEqual([false, costly.includes(name)])
  },
)

test('/readyz and /metrics share a rate limit apart from that of the API, and /healthz is not limited', async () => {
  const from = async (url: string) =>
    (await server.app.inject({ url, remoteAddress: '198.51.100.20', headers: { authorization: `Bearer ${TOKEN}` } }))
      .statusCode
  expect([await from('/readyz'), await from('/metrics'), await from('/readyz')]).toEqual([200, 200, 200])
  expect([await from('/readyz'), await from('/metrics')]).toEqual([429, 429])
  for (let i = 0; i < 12; i++) expect(await from('/api/v1/config')).toBe(200)
  expect(await from('/api/v1/config')).toBe(429)
  for (let i = 0; i < 20; i++) expect(await from('/healthz')).toBe(200)
})

test('payment webhook requests have a rate limit of their own, higher than that of writes', async () => {
  const post = () => server.app.inject({ method: 'POST', url: BILLING_WEBHOOK, remoteAddress: '198.51.100.30' })
  for (let i = 0; i < 30; i++) expect((await post()).statusCode).toBe(503)
  expect((await post()).statusCode).toBe(429)
})

test('requests without an identity are rate limited too', async () => {
  const statuses = []
  for (let i = 0; i < 14; i++) statuses.push((await server.app.inject('/api/v1/widgets')).statusCode)
  expect(statuses[0]).toBe(401)
  expect(statuses.at(-1)).toBe(429)
})

test('X-Forwarded-For sets the rate-limited address for a proxy on this machine, and is ignored from other addresses', async () => {
  const from = (remoteAddress: string, forwarded: string) =>
    server.app.inject({ url: '/api/v1/config', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
  for (let i = 0; i < 20; i++) expect((await from('127.0.0.1', `203.0.113.${i}`)).statusCode).toBe(200)
  const statuses = []
  for (let i = 0; i < 14; i++) statuses.push((await from('198.51.100.9', `203.0.113.${i}`)).statusCode)
  expect(statuses.at(-1)).toBe(429)
})

test('TRUSTED_PROXIES names the proxies whose X-Forwarded-For is believed, hop by hop from the nearest', async () => {
  const behind = await testApp({ env: { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8:ff::/48' } })
  const seen: string[] = []
  behind.app.addHook('onRequest', async ({ ip }) => void seen.push(ip))
  // Added after the routes, so that only an unknown address runs it.
  const ipOf = async (remoteAddress: string, forwarded: string) => {
    await behind.app.inject({ url: '/nothing', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    return seen.pop()
  }
  expect(await ipOf('10.1.2.3', '203.0.113.7')).toBe('203.0.113.7')
  // The client wrote the first, our outer proxy the second, our inner one the third.
  expect(await ipOf('10.1.2.3', '1.1.1.1, 203.0.113.7, 10.9.9.9')).toBe('203.0.113.7')
  expect(await ipOf('::ffff:10.1.2.3', '203.0.113.7')).toBe('203.0.113.7')
  expect(await ipOf('2001:db8:ff::1', '2001:db8:1::9, 2001:db8:ff:1::2')).toBe('2001:db8:1::9')
  // Strangers, and with a list of its own this machine too, are not believed.
  expect(await ipOf('203.0.113.99', '198.51.100.1')).toBe('203.0.113.99')
  expect(await ipOf('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1')
  await behind.close()
})

test('the addresses of one IPv6 network of 64 bits share a rate limit, and those of another have their own', async () => {
  const from = async (remoteAddress: string) =>
    (await server.app.inject({ url: '/api/v1/config', remoteAddress })).statusCode
  for (let i = 1; i <= 12; i++) expect(await from(`2001:db8:0:1::${i}`)).toBe(200)
  expect(await from('2001:db8:0:1:ffff::1')).toBe(429)
  expect(await from('2001:db8:0:2::1')).toBe(200)
})

test('a percent-encoded path and an absolute request URL are rate limited like the plain path', async () => {
  const { port } = new URL(await server.app.listen({ port: 0 }))
  // node:http sends the header as it is written; the server believes it, since it comes from this machine.
  const statusOf = (path: string, forwarded: string) =>
    new Promise((resolve, reject) => {
      get({ port, path, headers: { 'x-forwarded-for': forwarded } }, (answer) =>
        resolve(answer.resume().statusCode),
      ).on('error', reject)
    })
  for (const [path, forwarded] of [
    ['/%61pi/v1/config', '203.0.113.101'],
    ['http://localhost/api/v1/config', '203.0.113.102'],
  ] as const) {
    const statuses = []
    for (let i = 0; i < 14; i++) statuses.push(await statusOf(path, forwarded))
    expect([statuses[0], statuses.at(-1)], path).toEqual([200, 429])
  }
})
