import type * as z from 'zod'
import { isWeakSecret, smtpTls } from './env-values'
import { variables } from './env-variables'
import { isLoopbackHost } from './http/addresses'
import { withSecretFiles } from './secret-files'
import { isVapidPair } from './vapid'

/** Every environment variable, validated; the names are those of the variables. */
export type Env = z.output<typeof variables> & { readonly PUBLIC_URL: string; readonly SHUTDOWN_GRACE_SECONDS: number }

/** The configuration cannot be used. The message has one line for each wrong variable, and names it. */
class EnvError extends Error {
  override readonly name = 'EnvError'
}

const MANDATORY_IN_PRODUCTION = ['JWT_SECRET', 'PUBLIC_URL', 'MARKET_DATA', 'SMTP_URL'] as const

const SECRETS = Object.entries<z.ZodType>(variables.shape).flatMap(([name, schema]) =>
  schema.meta()?.secret === true ? [name] : [],
)

/** Needed together to sell by Stripe. */
const STRIPE_NAMES = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID'] as const

/** Without these the matching part of the outside world is a local stand-in that must not be reachable by others. */
const REPLACES_SANDBOX = ['SMTP_URL', 'GOOGLE_CLIENT_ID', 'STRIPE_SECRET_KEY'] as const

/**
 * Reads the configuration, and the files that hold secrets of it. A variable set to the empty string counts as not set.
 * @throws EnvError naming every variable that is wrong or missing
 */
export function loadEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const unusable: string[] = []
  const given = withSecretFiles(
    Object.fromEntries(
      Object.entries(source).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
    ),
    SECRETS,
    unusable,
  )
  const parsed = variables.safeParse(given)
  const issues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  if (!parsed.success || unusable.length > 0) throw new EnvError([...unusable, ...issues].join('\n'))
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
      'DATABASE_LISTEN_URL: must be set only where DATABASE_URL is':
        env.DATABASE_LISTEN_URL !== undefined && env.DATABASE_URL === undefined,
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
