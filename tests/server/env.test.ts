import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { isWeakSecret, smtpTls } from '../../server/env-values'
import { temporaryFolder } from './support/for-file'
import { TEST_VAPID } from './support/test-vapid'

/** The names in the message of the refusal; empty when the configuration is accepted. */
function refused(source: Record<string, string>): string[] {
  try {
    loadEnv(source)
    return []
  } catch (error) {
    expect(error).toMatchObject({ name: 'EnvError' })
    return (error as Error).message.split('\n').map((line) => line.split(':')[0] ?? '')
  }
}

const production = {
  NODE_ENV: 'production',
  JWT_SECRET: 'Zq3vX8mB1kT7wL0sJ5nR2yP9hD6fG4cE',
  PUBLIC_URL: 'https://ratio.example',
  MARKET_DATA: 'coingecko',
  SMTP_URL: 'smtp://mail.example',
  HOST: '0.0.0.0',
}

test('an empty environment gets the default configuration', () => {
  expect(loadEnv({})).toMatchObject({
    NODE_ENV: 'development',
    PORT: 8080,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost:8080',
    DATA_DIR: '.data',
    MARKET_DATA: 'auto',
    FREE_MAX_WIDGETS: 5,
    FREE_MAX_CHECKPOINTS: 1,
    PREMIUM_MAX_WIDGETS: 50,
    PREMIUM_MAX_CHECKPOINTS: 20,
    ACCESS_TOKEN_TTL_SECONDS: 900,
    RATE_LIMIT_FACTOR: 1,
    SHUTDOWN_GRACE_SECONDS: 0,
    LOG_LEVEL: 'info',
    ENABLE_TESTING_ROUTES: false,
  })
})

test('in production the server goes on answering for five seconds after a signal, or as long as the environment says', () => {
  expect(loadEnv(production).SHUTDOWN_GRACE_SECONDS).toBe(5)
  expect(loadEnv({ ...production, SHUTDOWN_GRACE_SECONDS: '0' }).SHUTDOWN_GRACE_SECONDS).toBe(0)
})

test('an empty environment variable counts as not set, and a trailing slash of a URL is dropped', () => {
  const env = loadEnv({ PORT: '', DATABASE_URL: '', COINGECKO_BASE_URL: 'http://localhost:1/api/v3/' })
  expect([env.PORT, env.DATABASE_URL, env.COINGECKO_BASE_URL]).toEqual([8080, undefined, 'http://localhost:1/api/v3'])
})

test('PUBLIC_URL is normalized to the origin as browsers write it: lower case, without default port and slash', () => {
  const { PUBLIC_URL } = loadEnv({ ...production, PUBLIC_URL: 'https://Ratio.Example:443/' })
  expect(PUBLIC_URL).toBe('https://ratio.example')
})

test.each(
  Object.entries({
    PORT: ['80a', '65536', '-1', '8080.5'],
    NODE_ENV: ['prod'],
    MARKET_DATA: ['binance'],
    DATABASE_URL: [
      'mysql://x',
      'postgres://a:5432,/ratios',
      'postgres://a:5432,b:x/ratios',
      'postgres://a/ratios?target_session_attrs=standby',
    ],
    DATABASE_POOL: ['1'],
    DATABASE_LISTEN_URL: ['postgres://a/ratios'],
    TRUSTED_PROXIES: [',', 'proxy.internal', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.1, 10.0.0.1'],
    PUBLIC_URL: [
      'ftp://x',
      'http://localhost/app',
      'http://localhost?a=1',
      'http://localhost#y',
      'http://user:secret@localhost',
    ],
    COINGECKO_BASE_URL: ['api.coingecko.com'],
    PRICE_POLL_SECONDS: ['0'],
    COINGECKO_MONTHLY_CALLS: ['2147483648'],
    JWT_SECRET: ['short'],
    METRICS_TOKEN: ['too short', 'with spaces in between'],
    FREE_MAX_WIDGETS: ['0', 'many'],
    RATE_LIMIT_FACTOR: ['0', '1e9'],
    ENABLE_TESTING_ROUTES: ['yes'],
    LOG_LEVEL: ['loud'],
    BACKUP_SCHEDULE: ['/var/backups', '/var/backups,0h,7', '/var/backups,24h'],
    SMTP_URL: ['mail.example', 'smtp://'],
    MAIL_FROM: ['the ratios', 'Ratios <post>'],
    SUPPORT_EMAIL: ['help'],
    VAPID_SUBJECT: ['help@ratio.example', 'http://ratio.example', 'mailto:', 'mailto:not an address'],
    PUSH_ALLOWED_HOSTS: [
      ',',
      '*.push.example',
      'push.example:0080',
      'https://push.example',
      'push.example/x',
      'push.example:0',
      'push.example:65536',
      'push.example, user@push.example',
      '127.1',
      '::1',
    ],
    WEBHOOK_ALLOWED_HOSTS: ['http://ntfy'],
    TELEGRAM_BOT_TOKEN: ['bot'],
    TELEGRAM_API_URL: ['http://telegram.example'],
    ALLOWED_HOSTS: ['https://app', 'app:8080', '*.example'],
    ADMIN_EMAILS: ['boss@example.com;other@example.com', 'boss@example.com, the other'],
  }),
)('the configuration refuses each wrong %s and names that variable', (name, values) => {
  const others = values.filter((value) => refused({ [name]: value }).join() !== name)
  expect(others, 'taken, or refused for another variable').toEqual([])
})

test('the configuration names all wrong variables in one error', () => {
  expect(refused({ PORT: 'x', LOG_LEVEL: 'x', MARKET_DATA: 'x' }).toSorted()).toEqual([
    'LOG_LEVEL',
    'MARKET_DATA',
    'PORT',
  ])
})

test('in production, secret, public URL, price source and SMTP server must be set, and testing routes stay off', () => {
  expect(refused(production)).toEqual([])
  expect(refused({ NODE_ENV: 'production' })).toEqual(['JWT_SECRET', 'PUBLIC_URL', 'MARKET_DATA', 'SMTP_URL'])
  expect(refused({ ...production, SMTP_URL: '' })).toEqual(['SMTP_URL'])
  expect(refused({ ...production, ENABLE_TESTING_ROUTES: 'true' })).toEqual(['ENABLE_TESTING_ROUTES'])
})

test('production refuses a PUBLIC_URL without https unless it is on this machine, and development takes both', () => {
  expect(refused({ ...production, PUBLIC_URL: 'http://ratio.example' })).toEqual(['PUBLIC_URL'])
  for (const PUBLIC_URL of ['http://localhost:8080', 'http://127.0.0.1:8080', 'https://ratio.example'])
    expect(refused({ ...production, PUBLIC_URL })).toEqual([])
})

test.each([
  ['one character', 'x'.repeat(32)],
  ['nine different characters', 'axbyczdw1'.repeat(4).slice(0, 35)],
  ['a repeated unit', 'Zq3vX8mB1kT7wL0s'.repeat(2)],
  ['a repeated unit that is cut short', 'Zq3vX8mB1kT7'.repeat(4).slice(0, 40)],
  ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789'],
  ['a placeholder', 'change-me-4f1Kp9sQ7vB2xT8mL0dR5w'],
  ['the words of a template', 'your_jwt_secret_for_this_environment'],
])('production refuses a JWT_SECRET of %s, and development takes it', (_what, JWT_SECRET) => {
  expect(refused({ ...production, JWT_SECRET })).toEqual(['JWT_SECRET'])
  expect(refused({ JWT_SECRET })).toEqual([])
})

test('production takes ten thousand random secrets, in base64, base64url and hexadecimal digits', () => {
  for (let i = 0; i < 10_000; i++) {
    const secret = randomBytes(32).toString((['base64', 'base64url', 'hex'] as const)[i % 3])
    expect(isWeakSecret(secret), secret).toBe(false)
  }
})

test.each([
  ['smtp://mail.example', 'required'],
  ['smtps://user:word@mail.example:465', 'required'],
  ['smtp://mail.example?tls=opportunistic', 'opportunistic'],
  ['smtp://localhost:25', 'opportunistic'],
  ['smtp://127.0.0.1:1025', 'opportunistic'],
  ['smtp://mail.example?ignoreTLS=true', 'unknown'],
  ['smtp://mail.example?requireTLS=false', 'unknown'],
  ['smtps://mail.example?secure=false', 'unknown'],
  ['smtps://mail.example?tls.rejectUnauthorized=false', 'unknown'],
  ['smtp://mail.example?tls=none', 'unknown'],
])('TLS of %s is %s, and production refuses what is unknown', (SMTP_URL, tls) => {
  expect(smtpTls(SMTP_URL)).toBe(tls)
  expect(refused({ ...production, SMTP_URL })).toEqual(tls === 'unknown' ? ['SMTP_URL'] : [])
})

test('in production MARKET_DATA=auto is refused, with the values that may be set', () => {
  expect(refused({ ...production, MARKET_DATA: 'simulated' })).toEqual([])
  expect(refused({ ...production, MARKET_DATA: 'auto' })).toEqual(['MARKET_DATA'])
  expect(() => loadEnv({ ...production, MARKET_DATA: 'auto' })).toThrow('must be coingecko or simulated in production')
})

test.each(['COINGECKO_BASE_URL', 'CLIENT_MARKET_DATA_URL'])(
  '%s must be https, unless it is on this machine',
  (name) => {
    expect(refused({ ...production, [name]: 'http://prices.example/api/v3' })).toEqual([name])
    expect(refused({ [name]: 'http://10.0.0.8/api/v3' })).toEqual([name])
    for (const url of ['https://prices.example/api/v3', 'http://127.0.0.1:9000/api/v3', 'http://[::1]:9000'])
      expect(refused({ ...production, [name]: url })).toEqual([])
  },
)

const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }

test('Google sign-in needs both client id and secret, and an issuer with https unless on this machine', () => {
  expect(refused(google)).toEqual([])
  expect(refused({ ...production, ...google })).toEqual([])
  expect(refused({ GOOGLE_CLIENT_ID: 'id' })).toEqual(['GOOGLE_CLIENT_SECRET'])
  expect(refused({ ...production, GOOGLE_CLIENT_SECRET: 'secret' })).toEqual(['GOOGLE_CLIENT_ID'])
  expect(refused({ GOOGLE_ISSUER: 'https://accounts.example' })).toEqual(['GOOGLE_CLIENT_ID'])
  expect(refused({ ...google, GOOGLE_ISSUER: 'http://accounts.example' })).toEqual(['GOOGLE_ISSUER'])
  for (const GOOGLE_ISSUER of ['http://127.0.0.1:9000', 'https://accounts.example'])
    expect(refused({ ...google, GOOGLE_ISSUER })).toEqual([])
})

const stripe = { STRIPE_SECRET_KEY: 'key', STRIPE_WEBHOOK_SECRET: 'secret', STRIPE_PRICE_ID: 'price' }

test('billing needs all three Stripe variables, and a Stripe API URL with https unless on this machine', () => {
  expect(refused(stripe)).toEqual([])
  expect(refused({ ...production, ...stripe })).toEqual([])
  for (const name of Object.keys(stripe)) {
    expect(refused({ ...production, ...stripe, [name]: '' })).toEqual([name])
    expect(refused({ [name]: 'x' }).toSorted()).toEqual(
      Object.keys(stripe)
        .filter((other) => other !== name)
        .toSorted(),
    )
  }
  expect(refused({ STRIPE_API_URL: 'https://stripe.example' })).toEqual(Object.keys(stripe))
  for (const STRIPE_API_URL of ['http://127.0.0.1:9000', 'http://[::1]:9000', 'https://stripe.example'])
    expect(refused({ ...stripe, STRIPE_API_URL })).toEqual([])
  for (const STRIPE_API_URL of [
    'http://stripe.example',
    'https://stripe.example/v1',
    'https://key@stripe.example',
    'ftp://stripe.example',
  ])
    expect(refused({ ...stripe, STRIPE_API_URL })).toEqual(['STRIPE_API_URL'])
})

test('the VAPID keys must come as a matching pair; a missing key or a private key that does not match is named', () => {
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } = TEST_VAPID
  expect(refused(TEST_VAPID)).toEqual([])
  expect(refused({ VAPID_PUBLIC_KEY })).toEqual(['VAPID_PRIVATE_KEY'])
  expect(refused({ VAPID_PRIVATE_KEY })).toEqual(['VAPID_PUBLIC_KEY'])
  for (const key of ['x', VAPID_PUBLIC_KEY, 'A'.repeat(43), '_'.repeat(43), VAPID_PRIVATE_KEY.replace('y', 'z')]) {
    expect(refused({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: key })).toEqual(['VAPID_PRIVATE_KEY'])
  }
})

test('the allowed push service hosts are trimmed and normalized to lower case', () => {
  const { PUSH_ALLOWED_HOSTS } = loadEnv({ PUSH_ALLOWED_HOSTS: 'Push.Example, 127.0.0.1:4000,[::1]:5000, localhost:1' })
  expect(PUSH_ALLOWED_HOSTS).toEqual(['push.example', '127.0.0.1:4000', '[::1]:5000', 'localhost:1'])
})

test('TRUSTED_PROXIES takes IPv4 and IPv6 addresses and networks, and trusts this machine alone unless it is set', () => {
  expect(loadEnv({}).TRUSTED_PROXIES).toEqual(['127.0.0.0/8', '::1/128'])
  const { TRUSTED_PROXIES } = loadEnv({ TRUSTED_PROXIES: '10.0.0.1, 172.16.0.0/12,fd00::/8 , ::1' })
  expect(TRUSTED_PROXIES).toEqual(['10.0.0.1', '172.16.0.0/12', 'fd00::/8', '::1'])
})

test('MAIL_FROM may be a bare address or an address with a display name', () => {
  for (const MAIL_FROM of ['post@ratio.example', 'Ratios <post@ratio.example>'])
    expect(refused({ MAIL_FROM })).toEqual([])
})

test('HOST and PUBLIC_URL must be loopback unless mail server, Google sign-in and billing are all set up', () => {
  expect(refused({ HOST: '0.0.0.0' })).toEqual(['HOST'])
  expect(refused({ HOST: '192.168.1.7', PUBLIC_URL: 'http://192.168.1.7:8080' })).toEqual(['HOST', 'PUBLIC_URL'])
  for (const HOST of ['localhost', '127.0.0.1', '127.8.8.8', '::1']) expect(refused({ HOST })).toEqual([])
  for (const PUBLIC_URL of ['http://[::1]:8080', 'http://app.localhost', 'https://127.0.0.1'])
    expect(refused({ PUBLIC_URL })).toEqual([])
  for (const PUBLIC_URL of ['http://127.0.0.1.example', 'http://localhost.example', 'http://0.0.0.0'])
    expect(refused({ PUBLIC_URL })).toEqual(['PUBLIC_URL'])
  // Nothing is left of the sandbox.
  const real = { SMTP_URL: 'smtp://mail.example', ...google, ...stripe }
  expect(refused({ ...real, HOST: '0.0.0.0' })).toEqual([])
  expect(refused({ ...real, SMTP_URL: '', HOST: '0.0.0.0' })).toEqual(['HOST'])
})

test.each([
  [
    { MARKET_STREAM: 'kraken', MARKET_DATA: 'simulated' },
    'MARKET_STREAM: must be none where MARKET_DATA is simulated: real and simulated prices do not mix',
  ],
  [
    { MARKET_STREAM: 'auto', MARKET_STREAM_URL: 'wss://feed.example.org' },
    'MARKET_STREAM_URL: must be set only where MARKET_STREAM names one exchange',
  ],
  [
    { MARKET_STREAM: 'kraken', MARKET_STREAM_URL: 'ws://feed.example.org/v2' },
    'MARKET_STREAM_URL: must be wss, unless it is on this machine',
  ],
  [
    { MARKET_STREAM: 'kraken', MARKET_STREAM_URL: 'https://feed.example.org' },
    'MARKET_STREAM_URL: must be a ws:// or wss:// URL',
  ],
])('the exchange settings %j are refused with the reason', (variables, reason) => {
  expect(() => loadEnv(variables)).toThrow(expect.objectContaining({ name: 'EnvError', message: reason }))
})

test('each secret may stand in the file that its NAME_FILE names, in production too; no other variable may', () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const { JWT_SECRET, SMTP_URL, ...rest } = production
  const secrets = {
    JWT_SECRET,
    SMTP_URL,
    DATABASE_URL: 'postgres://ratios:secret@db.example/ratios',
    GOOGLE_CLIENT_SECRET: 'google',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    VAPID_PRIVATE_KEY: TEST_VAPID.VAPID_PRIVATE_KEY,
    TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`,
    METRICS_TOKEN: 'metrics-token-of-16',
    COINGECKO_DEMO_API_KEY: 'demo',
    COINGECKO_PRO_API_KEY: 'pro with a space at its end ',
  }
  const files = Object.entries(secrets).map(([name, text], i) => [
    `${name}_FILE`,
    file(name, text + ['', '\n', '\r\n'][i % 3]),
  ])
  const others = { GOOGLE_CLIENT_ID: 'id', STRIPE_PRICE_ID: 'price', VAPID_PUBLIC_KEY: TEST_VAPID.VAPID_PUBLIC_KEY }
  const PORT_FILE = file('PORT', '1234')
  const env = loadEnv({ ...rest, ...others, ...Object.fromEntries(files), PORT_FILE })
  expect(env).toMatchObject({ ...secrets, PORT: 8080 })
})

test('a secret file that is not there, is empty or a folder, or stands beside its variable is refused with variable, path and way out', () => {
  const folder = temporaryFolder()
  const [gone, empty] = [join(folder, 'gone'), join(folder, 'empty')]
  writeFileSync(empty, '\n')
  const way = (name: string) => `name a file that this user can read, or set ${name}`
  const source = {
    JWT_SECRET_FILE: gone,
    SMTP_URL_FILE: empty,
    DATABASE_URL_FILE: folder,
    METRICS_TOKEN_FILE: gone,
    METRICS_TOKEN: 'metrics-token-of-16',
  }
  expect(() => loadEnv(source)).toThrow(
    [
      `DATABASE_URL_FILE: ${folder} cannot be used, it is a folder: ${way('DATABASE_URL')}`,
      `JWT_SECRET_FILE: ${gone} cannot be used, there is no such file: ${way('JWT_SECRET')}`,
      `SMTP_URL_FILE: ${empty} cannot be used, it is empty: ${way('SMTP_URL')}`,
      'METRICS_TOKEN_FILE: METRICS_TOKEN is set as well: set one of the two',
    ].join('\n'),
  )
})
