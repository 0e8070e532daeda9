import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { precompress } from '../../server/cli/client-bundle.mjs'
import { testApp, type TestApp } from './support/test-app'
import { temporaryFolder, withServer } from './support/for-file'

const root = temporaryFolder()
const client = join(root, 'client')
const BIG = 'x'.repeat(10_000)
const server = withServer(() => {
  mkdirSync(join(client, 'assets'), { recursive: true })
  writeFileSync(join(client, 'index.html'), '<!doctype html><title>App</title>')
  writeFileSync(join(client, 'sw.js'), 'self.x = 1')
  writeFileSync(join(client, 'assets', 'main-abc123.js'), `const x = "${BIG}"`)
  writeFileSync(join(root, 'outside.txt'), 'secret')
  return { deps: { client } }
})

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

test('the page and the service worker must be revalidated on every use; hashed assets are cached as immutable', async () => {
  const page = await get('/', PAGE)
  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ])
  expect((await get('/sw.js')).headers['cache-control']).toBe('no-cache')
  expect((await get('/assets/main-abc123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('a client file whose ETag the browser already has is answered with 304', async () => {
  const { etag } = (await get('/sw.js')).headers
  expect((await get('/sw.js', { 'if-none-match': String(etag) })).statusCode).toBe(304)
})

test('a client route such as /settings is answered with the page', async () => {
  for (const url of ['/settings', '/chart/3e0f/7d', '/reset-password?token=a.b.c']) {
    const answer = await get(url, PAGE)
    expect([answer.statusCode, answer.headers['cache-control']], url).toEqual([200, 'no-cache'])
    expect(answer.payload, url).toContain('<title>App</title>')
  }
})

test('a missing file, an unknown API path or a non-page request for a client route gets 404, never the page', async () => {
  for (const url of [
    '/assets/gone-123.js',
    '/gone.png',
    '/api/v1/gone',
    '/api',
    '/%2e%2e/outside.txt',
    '//api/v1/gone',
    '/%61pi/v1/gone',
  ]) {
    const answer = await get(url, PAGE)
    expect([answer.statusCode, answer.json<{ error_code: string }>().error_code], url).toEqual([404, 'NO_SUCH_ROUTE'])
  }
  expect((await get('/settings', { accept: '*/*' })).statusCode).toBe(404)
  expect((await server.app.inject({ method: 'POST', url: '/settings', headers: PAGE })).statusCode).toBe(404)
})

test('a malformed request path never causes a server error', async () => {
  for (const url of ['//', '//:x', '/%', '/%ff', '/%E0%A4%A']) {
    expect((await get(url, PAGE)).statusCode, url).toBeLessThan(500)
  }
})

test('a large client file is sent compressed to a browser that accepts gzip, and plain to others', async () => {
  const plain = await get('/assets/main-abc123.js')
  expect(plain.payload).toContain(BIG)
  const packed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(packed.rawPayload.length).toBeLessThan(1000)
})

describe('a client that the build has compressed', () => {
  const built = join(root, 'built')
  let compressed: TestApp
  beforeAll(async () => {
    mkdirSync(join(built, 'assets'), { recursive: true })
    writeFileSync(join(built, 'index.html'), `<!doctype html><title>App</title>${BIG}`)
    writeFileSync(join(built, 'sw.js'), `self.x = "${BIG}"`)
    writeFileSync(join(built, 'manifest.webmanifest'), JSON.stringify({ name: BIG }))
    writeFileSync(join(built, 'assets', 'main-abc123.js'), `const x = "${BIG}"`)
    writeFileSync(join(built, 'assets', 'font-abc123.woff2'), BIG)
    await precompress(built)
    compressed = await testApp({ database: server.database, deps: { client: built } })
  })
  afterAll(() => compressed.close())
  const ask = (url: string, headers: Record<string, string>) => compressed.app.inject({ url, headers })

  test('files are sent as the build compressed them, with their own type, cache rule and ETag, and Vary', async () => {
    for (const [url, type, cache] of [
      ['/', 'text/html; charset=utf-8', 'no-cache'],
      ['/settings', 'text/html; charset=utf-8', 'no-cache'],
      ['/sw.js', 'application/javascript; charset=utf-8', 'no-cache'],
      ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
      ['/assets/main-abc123.js', 'application/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ] as const) {
      const plain = await ask(url, PAGE)
      const br = await ask(url, { ...PAGE, 'accept-encoding': 'gzip, deflate, br, zstd' })
      const gz = await ask(url, { ...PAGE, 'accept-encoding': 'gzip' })
      expect(
        [plain, br, gz].map(({ headers }) => headers['content-encoding']),
        url,
      ).toEqual([undefined, 'br', 'gzip'])
      expect(brotliDecompressSync(br.rawPayload).toString(), url).toBe(plain.payload)
      expect(gunzipSync(gz.rawPayload).toString(), url).toBe(plain.payload)
      for (const { headers } of [plain, br, gz]) {
        expect([headers['content-type'], headers['cache-control']], `${url} ${headers['content-encoding']}`).toEqual([
          type,
          cache,
        ])
        expect(String(headers['vary']).toLowerCase(), url).toContain('accept-encoding')
      }
      expect(br.headers['content-length'], url).toBe(String(br.rawPayload.length))
      expect(new Set([plain, br, gz].map(({ headers }) => headers['etag'])).size, url).toBe(3)
      const again = await ask(url, { ...PAGE, 'accept-encoding': 'br', 'if-none-match': String(br.headers['etag']) })
      expect(again.statusCode, url).toBe(304)
    }
  })

  test('a range is cut from the encoding that is sent', async () => {
    const headers = { 'accept-encoding': 'br', range: 'bytes=0-3' }
    const whole = await ask('/assets/main-abc123.js', { 'accept-encoding': 'br' })
    const part = await ask('/assets/main-abc123.js', headers)
    expect([part.statusCode, part.headers['content-encoding']]).toEqual([206, 'br'])
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(0, 4))
    expect(part.headers['content-range']).toBe(`bytes 0-3/${whole.rawPayload.length}`)
  })

  test('fonts are sent plain, and the compressed files have no address of their own', async () => {
    const font = await ask('/assets/font-abc123.woff2', { 'accept-encoding': 'br, gzip' })
    expect([font.statusCode, font.headers['content-encoding']]).toEqual([200, undefined])
    for (const url of ['/sw.js.br', '/sw.js.gz', '/assets/main-abc123.js.br', '/assets/main-abc123.js.gz']) {
      expect((await ask(url, {})).statusCode, url).toBe(404)
    }
  })
})

test('the Content-Security-Policy limits scripts, workers and prices to the app’s origin; icons may be CoinGecko’s, for the page and for the service worker’s fetches', async () => {
  const policy = String((await get('/', PAGE)).headers['content-security-policy'])
  const directives = Object.fromEntries(
    policy.split(';').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  )
  expect(directives).toMatchObject({
    'default-src': "'self'",
    'script-src': "'self'",
    'worker-src': "'self'",
    'connect-src': "'self' https://coin-images.coingecko.com https://assets.coingecko.com",
    'object-src': "'none'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'default',
  })
  expect(directives['img-src']).toContain('https://coin-images.coingecko.com')
})

test('the Content-Security-Policy allows the inline scripts of the built page by their hashes, and no others', async () => {
  const folder = join(root, 'with-scripts')
  mkdirSync(folder)
  const code = 'document.title = "x < y"\n'
  writeFileSync(join(folder, 'index.html'), `<!doctype html><script>${code}</script><script src="/a.js"></script>`)
  const app = await testApp({ database: server.database, deps: { client: folder } })
  const policy = String((await app.app.inject({ url: '/', headers: PAGE })).headers['content-security-policy'])
  const hash = createHash('sha256').update(code).digest('base64')
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
  await app.close()
})

test('a foreign price URL joins connect-src, and an https PUBLIC_URL turns on HSTS and upgrade-insecure-requests', async () => {
  const other = await testApp({
    database: server.database,
    env: { CLIENT_MARKET_DATA_URL: 'https://prices.example/api/v3/', PUBLIC_URL: 'https://ratio.localhost' },
  })
  const { headers } = await other.app.inject({ url: '/', headers: PAGE })
  expect(headers['content-security-policy']).toMatch(/connect-src 'self' [^;]*https:\/\/prices\.example;/)
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
  expect(headers['strict-transport-security']).toContain('max-age=31536000')
  expect((await other.app.inject('/api/v1/config')).headers['strict-transport-security']).toContain('max-age=31536000')
  expect((await server.app.inject('/api/v1/config')).headers['strict-transport-security']).toBeUndefined()
  await other.close()
})

test('the Permissions-Policy leaves passkeys and writing to the clipboard to the app itself, and nothing to anybody else', async () => {
  for (const url of ['/', '/nothing.js']) {
    const policy = String((await get(url, PAGE)).headers['permissions-policy']).split(', ')
    const own = policy.filter((part) => !part.endsWith('=()'))
    expect(own).toEqual([
      'clipboard-write=(self)',
      'publickey-credentials-create=(self)',
      'publickey-credentials-get=(self)',
    ])
    expect(policy).toEqual(
      expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()', 'payment=()', 'usb=()']),
    )
  }
})

test('an answer of the API or a hashed file has the few security headers that matter without a page, also as an error', async () => {
  for (const url of ['/api/v1/config', '/api/v1/nothing', '/api/v1/widgets', '/assets/main-abc123.js']) {
    const { headers } = await server.app.inject(url)
    expect(headers, url).toMatchObject({
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['permissions-policy'], url).toBeUndefined()
    expect(headers['x-ratelimit-limit'], url).toBeUndefined()
  }
})

test('a web worker and the service worker run under the policy of the page', async () => {
  const policy = (await get('/', PAGE)).headers['content-security-policy']
  for (const url of ['/assets/worker-abc123.js', '/sw.js']) {
    expect((await get(url)).headers['content-security-policy'], url).toBe(policy)
  }
})

test('security.txt names the support address and expires in less than a year; without such an address there is none', async () => {
  expect((await get('/.well-known/security.txt')).statusCode).toBe(404)
  const env = { SUPPORT_EMAIL: 'help@ratio.example', PUBLIC_URL: 'https://ratio.localhost' }
  const other = await testApp({ database: server.database, env })
  const expiry = async () => {
    const { statusCode, headers, payload } = await other.app.inject('/.well-known/security.txt')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(payload.split('\n')).toEqual([
      'Contact: mailto:help@ratio.example',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      'Preferred-Languages: en',
      'Canonical: https://ratio.localhost/.well-known/security.txt',
      '',
    ])
    return Date.parse(/Expires: (\S+)/.exec(payload)?.[1] ?? '') - other.clock()
  }
  for (let year = 0; year < 3; year++) {
    const left = await expiry()
    expect(left).toBeGreaterThan(30 * DAY)
    expect(left).toBeLessThan(365 * DAY)
    other.clock.advance(365 * DAY)
  }
  await other.close()
})

test('/.well-known/change-password leads to the place in the settings where a password is changed, and unknown well-known addresses are 404', async () => {
  const { statusCode, headers } = await get('/.well-known/change-password', PAGE)
  expect([statusCode, headers.location]).toEqual([302, '/settings#change-password'])
  // By this address password managers test whether a site answers everything with 200.
  const unlikely = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  expect((await get(unlikely, PAGE)).statusCode).toBe(404)
})
