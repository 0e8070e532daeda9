import * as z from 'zod'
import { DAY } from '../src/domain/granularity'
import {
  backupSchedule,
  flag,
  httpUrl,
  isHost,
  isNetwork,
  isWeakSecret,
  list,
  smtpTls,
  wholeNumber,
} from './env-values'
import { isLoopbackHost } from './http/addresses'
import { isVapidPair } from './vapid'

/** The support address while none is configured; no mail arrives there. */
export const NO_SUPPORT_EMAIL = 'support@localhost.localdomain'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** `host` or `host:port`, in small letters. */
const hostList = list
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine((hosts) => hosts.length > 0 && hosts.every(isHost), 'must be host or host:port, with commas between them')

const variables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  /** 0 takes any free port. */
  PORT: wholeNumber(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  /** Proxies whose X-Forwarded-* headers are believed: addresses and networks. */
  TRUSTED_PROXIES: list
    .refine(
      (all) => all.length > 0 && all.every(isNetwork),
      'must be IP addresses or networks (10.0.0.0/8), with commas between them',
    )
    .default(LOOPBACK),
  /** Spelled as browsers spell an origin, since what they say is compared with it. */
  PUBLIC_URL: httpUrl
    .refine((text) => /^https?:\/\/[^/?#@]+$/.test(text), 'must be an origin: no path, no query, no password')
    .transform((text) => new URL(text).origin)
    .optional(),
  /** Names besides those of PUBLIC_URL and of this machine by which requests may ask, in small letters. */
  ALLOWED_HOSTS: list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => isHost(host) && !/:\d+$/.test(host)),
      'must be hosts without ports, with commas between them',
    )
    .default([]),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 300).optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),

  BACKUP_SCHEDULE: backupSchedule.optional(),

  MARKET_DATA: z.enum(['auto', 'coingecko', 'simulated']).default('auto'),
  COINGECKO_BASE_URL: httpUrl.optional(),
  COINGECKO_DEMO_API_KEY: z.string().optional(),
  COINGECKO_PRO_API_KEY: z.string().optional(),
  /** As large as the column that counts them. */
  COINGECKO_MONTHLY_CALLS: wholeNumber(1, 2 ** 31 - 1).optional(),
  PRICE_POLL_SECONDS: wholeNumber(1, DAY / 1000).optional(),
  CLIENT_MARKET_DATA_URL: httpUrl.optional(),
  /** The exchange whose ticker gives prices of the second; `auto` tries kraken, then coinbase. */
  MARKET_STREAM: z.enum(['none', 'auto', 'kraken', 'coinbase', 'binance']).default('none'),
  MARKET_STREAM_URL: z
    .url({ protocol: /^wss?$/, hostname: /./, error: 'must be a ws:// or wss:// URL' })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),

  ACCESS_TOKEN_TTL_SECONDS: wholeNumber(1).default(900),
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),

  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// URL with a host' }).optional(),
  /** `address@host` or `Name <address@host>`. */
  MAIL_FROM: z
    .string()
    .refine(
      (text) => z.email().safeParse(/^[^<>"\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success,
      'must be an address, or a name and an address in angle brackets',
    )
    .optional(),
  SUPPORT_EMAIL: z.email().default(NO_SUPPORT_EMAIL),

  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: httpUrl.optional(),

  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_PRICE_ID: z.string().optional(),
  STRIPE_API_URL: httpUrl.optional(),

  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  VAPID_SUBJECT: z
    .string()
    .refine(
      (text) =>
        text.startsWith('mailto:')
          ? z.email().safeParse(text.slice(7)).success
          : z.url({ protocol: /^https$/, hostname: /./ }).safeParse(text).success,
      'must be mailto: and an address, or an https: URL',
    )
    .optional(),
  PUSH_ALLOWED_HOSTS: hostList.optional(),
  /** As PUSH_ALLOWED_HOSTS: receivers of webhooks that may be inside a network, and plain http. */
  WEBHOOK_ALLOWED_HOSTS: hostList.default([]),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, 'must be a token of BotFather: digits, a colon, and letters')
    .optional(),
  TELEGRAM_API_URL: httpUrl.default('https://api.telegram.org'),

  ADMIN_EMAILS: list
    .refine((all) => z.array(z.email()).safeParse(all).success, 'must be email addresses with commas between them')
    .default([]),
  FREE_MAX_WIDGETS: wholeNumber(1, 1000).default(5),
  FREE_MAX_CHECKPOINTS: wholeNumber(1, 1000).default(1),
  PREMIUM_MAX_WIDGETS: wholeNumber(1, 1000).default(50),
  PREMIUM_MAX_CHECKPOINTS: wholeNumber(1, 1000).default(20),
  FREE_RADAR_COINS: wholeNumber(0, 100).default(20),
  PREMIUM_RADAR_COINS: wholeNumber(0, 100).default(100),
  ENABLE_TESTING_ROUTES: flag.default(false),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, and no spaces')
    .optional(),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a positive number')
    .transform(Number)
    .pipe(z.number().gt(0))
    .default(1),
})

/** Every environment variable, validated; the names are those of the variables. */
export type Env = z.output<typeof variables> & { readonly PUBLIC_URL: string; readonly SHUTDOWN_GRACE_SECONDS: number }

/** The configuration cannot be used. The message has one line for each wrong variable, and names it. */
class EnvError extends Error {
  override readonly name = 'EnvError'
}

const MANDATORY_IN_PRODUCTION = ['JWT_SECRET', 'PUBLIC_URL', 'MARKET_DATA', 'SMTP_URL'] as const

/** Needed together to sell by Stripe. */
const STRIPE_NAMES = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID'] as const

/** Without these the matching part of the outside world is a local stand-in that must not be reachable by others. */
const REPLACES_SANDBOX = ['SMTP_URL', 'GOOGLE_CLIENT_ID', 'STRIPE_SECRET_KEY'] as const

/**
 * Reads the configuration. A variable set to the empty string counts as not set.
 * @throws EnvError naming every variable that is wrong or missing
 */
export function loadEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    throw new EnvError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  }
  const env: Env = {
    ...parsed.data,
    PUBLIC_URL: parsed.data.PUBLIC_URL ?? new URL(`http://localhost:${parsed.data.PORT}`).origin,
    // A developer who stops the server does not want to wait, and has no balancer that asks.
    SHUTDOWN_GRACE_SECONDS: parsed.data.SHUTDOWN_GRACE_SECONDS ?? (parsed.data.NODE_ENV === 'production' ? 5 : 0),
  }
  const byMode = env.NODE_ENV === 'production' ? productionProblems(env, given) : sandboxProblems(env)
  const problems = [
    ...priceProblems(env),
    ...exchangeProblems(env),
    ...googleProblems(env),
    ...stripeProblems(env),
    ...vapidProblems(env),
    ...wrong({
      'TELEGRAM_API_URL: must be https, unless it is on this machine': isPlainHttp(env.TELEGRAM_API_URL),
    }),
    ...byMode,
  ]
  if (problems.length > 0) throw new EnvError(problems.join('\n'))
  return env
}

/** The texts whose condition is true. */
const wrong = (problems: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(problems).flatMap(([text, isWrong]) => (isWrong ? [text] : []))

/** In production nothing of users goes over a network unencrypted; what stays on this machine may. */
const productionProblems = (env: Env, given: Readonly<Record<string, unknown>>): string[] => [
  ...MANDATORY_IN_PRODUCTION.filter((name) => !(name in given)).map((name) => `${name}: must be set in production`),
  ...wrong({
    'MARKET_DATA: must be coingecko or simulated in production: auto may end in simulated prices':
      'MARKET_DATA' in given && env.MARKET_DATA === 'auto',
    'ENABLE_TESTING_ROUTES: must not be true in production': env.ENABLE_TESTING_ROUTES,
    'PUBLIC_URL: must be https in production, unless it is on this machine': isPlainHttp(env.PUBLIC_URL),
    'SMTP_URL: must not weaken TLS in production; "?tls=opportunistic" alone lets mails go unencrypted where the server offers no TLS':
      env.SMTP_URL !== undefined && smtpTls(env.SMTP_URL) === 'unknown',
    'JWT_SECRET: must be random in production, such as what "openssl rand -base64 48" prints':
      env.JWT_SECRET !== undefined && isWeakSecret(env.JWT_SECRET),
  }),
]

/** True for an http: or ws: URL whose host is another machine. */
function isPlainHttp(url: string | undefined): boolean {
  if (url === undefined) return false
  const { protocol, hostname } = new URL(url)
  return (protocol === 'http:' || protocol === 'ws:') && !isLoopbackHost(hostname)
}

/** Prices decide about alerts, and a key pays for them: nobody on the way may change the one or read the other. */
const priceProblems = ({ COINGECKO_BASE_URL: provider, CLIENT_MARKET_DATA_URL: polled }: Env): string[] =>
  wrong({
    'COINGECKO_BASE_URL: must be https, unless it is on this machine': isPlainHttp(provider),
    'CLIENT_MARKET_DATA_URL: must be https, unless it is on this machine': isPlainHttp(polled),
  })

/** Real prices stand beside no simulated ones, and nobody on the way may change them. */
const exchangeProblems = ({ MARKET_STREAM: exchange, MARKET_STREAM_URL: url, MARKET_DATA: source }: Env): string[] =>
  wrong({
    'MARKET_STREAM: must be none where MARKET_DATA is simulated: real and simulated prices do not mix':
      exchange !== 'none' && source === 'simulated',
    'MARKET_STREAM_URL: must be set only where MARKET_STREAM names one exchange':
      url !== undefined && (exchange === 'none' || exchange === 'auto'),
    'MARKET_STREAM_URL: must be wss, unless it is on this machine': isPlainHttp(url),
  })

/** Sign-in with Google is set up wholly or not at all; codes and secrets go over the network encrypted. */
const googleProblems = ({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret, GOOGLE_ISSUER: issuer }: Env): string[] =>
  wrong({
    'GOOGLE_CLIENT_SECRET: must be set where GOOGLE_CLIENT_ID is': id !== undefined && secret === undefined,
    'GOOGLE_CLIENT_ID: must be set where GOOGLE_CLIENT_SECRET or GOOGLE_ISSUER is':
      id === undefined && (secret !== undefined || issuer !== undefined),
    'GOOGLE_ISSUER: must be https, unless it is on this machine': isPlainHttp(issuer),
  })

/** Selling is set up wholly or not at all; the key goes over the network encrypted. */
function stripeProblems(env: Env): string[] {
  const { STRIPE_API_URL: url } = env
  const missing = STRIPE_NAMES.filter((name) => env[name] === undefined)
  const cause =
    STRIPE_NAMES.find((name) => env[name] !== undefined) ?? (url === undefined ? undefined : 'STRIPE_API_URL')
  return [
    ...(cause === undefined ? [] : missing.map((name) => `${name}: must be set where ${cause} is`)),
    ...wrong({
      'STRIPE_API_URL: must be https, unless it is on this machine': isPlainHttp(url),
      'STRIPE_API_URL: must be an origin: no path, no query, no password':
        url !== undefined && new URL(url).origin !== url,
    }),
  ]
}

/** Both keys or none: a private key of another pair would have every alert refused. */
const vapidProblems = ({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: Env): string[] =>
  wrong({
    'VAPID_PUBLIC_KEY: must be set where VAPID_PRIVATE_KEY is': publicKey === undefined && privateKey !== undefined,
    'VAPID_PRIVATE_KEY: must be set where VAPID_PUBLIC_KEY is': publicKey !== undefined && privateKey === undefined,
    'VAPID_PRIVATE_KEY: is not the private key of VAPID_PUBLIC_KEY, both base64url on P-256':
      publicKey !== undefined && privateKey !== undefined && !isVapidPair({ publicKey, privateKey }),
  })

function sandboxProblems(env: Env): string[] {
  const missing = REPLACES_SANDBOX.filter((name) => env[name] === undefined)
  const why = `must be a loopback address while the sandbox stands in for ${missing.join(', ')} (or set NODE_ENV=production)`
  return wrong({
    [`HOST: ${why}`]: missing.length > 0 && !isLoopbackHost(env.HOST),
    [`PUBLIC_URL: ${why}`]: missing.length > 0 && !isLoopbackHost(new URL(env.PUBLIC_URL).hostname),
  })
}
