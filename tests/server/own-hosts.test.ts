import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { withServer } from './support/for-file'
import { routesOf } from './support/registered-routes'

const server = withServer({
  env: {
    PUBLIC_URL: 'https://ratio.example',
    ALLOWED_HOSTS: 'app, Other.Example',
    SMTP_URL: 'smtp://mail.example',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    STRIPE_SECRET_KEY: 'key',
    STRIPE_WEBHOOK_SECRET: 'secret',
    STRIPE_PRICE_ID: 'price',
    ENABLE_TESTING_ROUTES: 'true',
  },
})

type Headers = Readonly<Record<string, string>>
const status = async (headers: Headers, url = '/api/v1/config') =>
  (await server.app.inject({ url, headers, remoteAddress: '127.0.0.1' })).statusCode

test('every route but /healthz refuses a foreign Host and a foreign Origin, before anybody is identified', async () => {
  for (const route of [...routesOf(server.app), 'GET /', 'GET /nowhere']) {
    const [method, url = ''] = route.split(' ')
    const ask = async (headers: Headers) => {
      const asked = { method: method as 'GET', url: url.replaceAll(/:\w+/g, 'x'), headers, remoteAddress: '127.0.0.1' }
      const { statusCode, body } = await server.app.inject(asked)
      return [statusCode, statusCode < 400 ? null : (JSON.parse(body) as { error_code?: string }).error_code]
    }
    const [rebound, led] = [
      await ask({ host: 'evil.example:8080' }),
      await ask({ host: 'ratio.example', origin: 'https://evil.example' }),
    ]
    if (url === '/healthz')
      expect([rebound, led]).toEqual([
        [200, null],
        [200, null],
      ])
    else
      expect([rebound, led], route).toEqual([
        [421, 'NO_SUCH_ROUTE'],
        [403, 'NO_SUCH_ROUTE'],
      ])
  }
})

test.each([
  'ratio.example',
  'RATIO.example:443',
  'app:8080',
  'other.example',
  'localhost:8080',
  'ratio.localhost',
  '127.0.0.1:8080',
  '[::1]:8080',
])('a request may ask for the host %s', async (host) => {
  expect(await status({ host })).toBe(200)
})

test.each([
  'a b',
  'evil.example',
  'ratio.example.evil.example',
  'localhost.evil.example',
  'evil.example#ratio.example',
  'ratio.example@evil.example',
  '192.168.1.7:8080',
  '169.254.169.254',
])('a request for the host “%s” is misdirected, whatever a proxy’s header says', async (host) => {
  expect(await status({ host })).toBe(421)
  expect(await status({ host, 'x-forwarded-host': 'ratio.example' })).toBe(421)
})

test.each([
  ['PUBLIC_URL’s, also where a proxy names us otherwise', { host: '127.0.0.1:8080', origin: 'https://ratio.example' }],
  ['the host’s that is asked', { host: 'localhost:5173', origin: 'http://localhost:5173' }],
  ['hidden, of a form of our own', { host: 'localhost:8080', origin: 'null', 'sec-fetch-site': 'same-origin' }],
])('a page’s Origin may be %s', async (_whose, headers: Headers) => {
  expect(await status(headers)).toBe(200)
})

test.each([
  ['another site', { host: 'ratio.example', origin: 'https://evil.example' }],
  ['another port', { host: 'localhost:8080', origin: 'http://localhost:3000' }],
  ['PUBLIC_URL without https', { host: 'localhost:8080', origin: 'http://ratio.example' }],
  ['our own host without https', { host: 'ratio.example', origin: 'http://ratio.example' }],
  ['nowhere', { host: 'localhost:8080', origin: 'null' }],
  ['a frame of another site', { host: 'localhost:8080', origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['no address', { host: 'localhost:8080', origin: 'x' }],
])('a page with the Origin of %s is refused', async (_whose, headers: Headers) => {
  expect(await status(headers)).toBe(403)
})

const outward = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

test.skipIf(outward === undefined)(
  'a probe may ask for the address at which it arrives, and for no other',
  async () => {
    await server.app.listen({ host: '::', port: 0 })
    const { port } = server.app.server.address() as AddressInfo
    const ask = async (host = '') => {
      const sent = httpRequest({ host: outward, port, path: '/api/v1/config', headers: { host } }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    expect([await ask(outward), await ask(`${outward}:8080`), await ask('192.0.2.1')]).toEqual([200, 200, 421])
  },
)
