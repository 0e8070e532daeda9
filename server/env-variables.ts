import * as z from 'zod'
import { DAY } from '../src/domain/granularity'
import {
  backupSchedule,
  databaseUrl,
  flag,
  hostAndPort,
  httpUrl,
  isHost,
  isNetwork,
  list,
  wholeNumber,
} from './env-values'

/* Each variable with its meaning: docs/running/configuration.md is made of these by `npm run configuration`. */

declare module 'zod' {
  interface GlobalMeta {
    /** Begins a part of the documentation. */
    heading?: string
    /** Its value may also stand in the file that NAME_FILE names. */
    secret?: true
    /** The value in the table where the schema has no default of its own; `none` without it. Markdown. */
    unset?: string
  }
}

/** The support address while none is configured; no mail arrives there. */
export const NO_SUPPORT_EMAIL = 'support@localhost.localdomain'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** `host` or `host:port`, in small letters. */
const hostList = list
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine((hosts) => hosts.length > 0 && hosts.every(isHost), 'must be host or host:port, with commas between them')

export const variables = z.object({
  PORT: wholeNumber(0, 65_535)
    .default(8080)
    .meta({ heading: 'Network', description: 'the port of API and app; 0 takes any free one' }),
  HOST: z.string().default('127.0.0.1').meta({
    description: 'the address that the server listens at; `0.0.0.0` is all of this machine, `::` all with IPv6 too',
  }),
  PUBLIC_URL: httpUrl
    .refine((text) => /^https?:\/\/[^/?#@]+$/.test(text), 'must be an origin: no path, no query, no password')
    // As browsers spell an origin: what they say is compared with it.
    .transform((text) => new URL(text).origin)
    .optional()
    .meta({
      description: 'how users reach it, an origin; in production https, unless it is this machine',
      unset: '`http://localhost:PORT`; mandatory in production',
    }),
  ALLOWED_HOSTS: list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => isHost(host) && !/:\d+$/.test(host)),
      'must be hosts without ports, with commas between them',
    )
    .default([])
    .meta({
      description:
        "further names by which the server may be asked, such as a container's: those of `PUBLIC_URL` and this machine and the address that is connected to always hold, every other `Host` gets 421 and every other site's `Origin` 403. `/healthz` answers to all",
    }),
  TRUSTED_PROXIES: list
    .refine(
      (all) => all.length > 0 && all.every(isNetwork),
      'must be IP addresses or networks (10.0.0.0/8), with commas between them',
    )
    .default(LOOPBACK)
    .meta({
      description:
        'the reverse proxies whose `X-Forwarded-*` headers are believed: addresses and networks such as `10.0.0.0/8`, separated by commas. Name a proxy on another machine or in another container: else all users count as one address. Each must append to `X-Forwarded-For` or set it anew',
    }),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 300).optional().meta({
    description:
      'how long the server goes on answering after a SIGTERM, when `/readyz` says 503; longer than a balancer takes to notice',
    unset: '5 in production, else 0',
  }),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a positive number')
    .transform(Number)
    .pipe(z.number().gt(0))
    .default(1)
    .meta({ description: 'multiplies every rate limit, for load tests' }),

  DATA_DIR: z.string().default('.data').meta({
    heading: 'Database and files',
    description:
      "the embedded database, generated keys, the sandbox's mails and customers; each start lets the server's user alone read it",
  }),
  DATABASE_URL: databaseUrl.optional().meta({
    secret: true,
    description:
      'a PostgreSQL server (15 or newer) instead of the embedded database: `postgres://user:password@host:5432/database`. Several hosts with commas between them are a primary and its standbys: the one that takes changes is used, also after it has changed; with `?target_session_attrs=read-write` a single host is asked, too. `?prepare=false` is for a pooler in transaction mode, such as PgBouncer: it keeps no named statements',
  }),
  DATABASE_POOL: wholeNumber(2, 500).default(10).meta({
    description:
      'connections to PostgreSQL that a process may open, 2 to 500; one more listens for changes of other processes',
  }),
  DATABASE_LISTEN_URL: databaseUrl.optional().meta({
    secret: true,
    description:
      'leads to PostgreSQL itself where `DATABASE_URL` leads to a pooler in transaction mode, through which nobody can listen for changes of other processes; backups read by it as well',
    unset: '`DATABASE_URL`',
  }),
  BACKUP_SCHEDULE: backupSchedule.optional().meta({
    description:
      'where backups go, how often (hours or days), and how many to keep, such as `/var/backups/ratios,24h,7`',
    unset: 'none are written by themselves',
  }),

  MARKET_DATA: z.enum(['auto', 'coingecko', 'simulated']).default('auto').meta({
    heading: 'Prices',
    description:
      '`coingecko` or `simulated`, one of which production insists on; outside it also `auto`: CoinGecko where it answers at the start or is known from before',
  }),
  COINGECKO_BASE_URL: httpUrl.optional().meta({
    description: "the provider's address, including `/api/v3`; http on this machine only",
    unset: 'the public API',
  }),
  COINGECKO_DEMO_API_KEY: z.string().optional().meta({ secret: true, description: 'a free key for it' }),
  COINGECKO_PRO_API_KEY: z.string().optional().meta({ secret: true, description: 'a paid key for it' }),
  // As large as the column that counts them.
  COINGECKO_MONTHLY_CALLS: wholeNumber(1, 2 ** 31 - 1)
    .optional()
    .meta({
      description:
        'how many calls the plan allows: 70 % for polling (at most 3 % of it for the coin list), 20 % for history of coins in widgets, 10 % for other coins',
      unset: 'what the kind of key allows',
    }),
  PRICE_POLL_SECONDS: wholeNumber(1, DAY / 1000)
    .optional()
    .meta({
      description: 'how often the server asks for spot prices',
      unset: 'what the call budget allows, at least 75',
    }),
  MARKET_STREAM: z.enum(['none', 'auto', 'kraken', 'coinbase', 'binance']).default('none').meta({
    description:
      "`kraken`, `coinbase` or `binance`: the exchange whose public ticker gives [prices of the second](prices-of-the-second.md) beside CoinGecko's; `auto` tries Kraken, then Coinbase",
  }),
  MARKET_STREAM_URL: z
    .url({ protocol: /^wss?$/, hostname: /./, error: 'must be a ws:// or wss:// URL' })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .meta({
      description:
        "another address (`ws://`, `wss://`) of that exchange's feed; its list of markets is asked for at the same host",
      unset: "the exchange's own",
    }),
  CLIENT_MARKET_DATA_URL: httpUrl.optional().meta({
    description:
      "what the app polls for `/simple/price`; http on this machine only. Prices of another service are compared with alerts by the open page, beside this server's own judgement of its prices",
    unset: "this server's `/api/v3`",
  }),

  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional().meta({
    secret: true,
    heading: 'Accounts and mail',
    description:
      'signs access tokens; at least 32 characters, in production random ones, such as `openssl rand -base64 48` prints',
    unset: 'made once and kept in `DATA_DIR`; mandatory in production',
  }),
  ACCESS_TOKEN_TTL_SECONDS: wholeNumber(1).default(900).meta({ description: 'how long an access token is good' }),
  ADMIN_EMAILS: list
    .refine((all) => z.array(z.email()).safeParse(all).success, 'must be email addresses with commas between them')
    .default([])
    .meta({
      description:
        'accounts that become superusers once the reader of their mailbox has opened the link of the registration in the browser that registered, set a password by mail, or logged in with Google, separated by commas; taking one out takes no rights away',
    }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// URL with a host' })
    .optional()
    .meta({
      secret: true,
      description:
        'the server that mails go out by, such as `smtps://user:password@mail.example.com`. In production `smtp://` insists on STARTTLS, unless the server is on this machine or the URL ends in `?tls=opportunistic`',
      unset: 'the sandbox; mandatory in production',
    }),
  MAIL_FROM: z
    .string()
    .refine(
      (text) => z.email().safeParse(/^[^<>"\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success,
      'must be an address, or a name and an address in angle brackets',
    )
    .optional()
    .meta({
      description: 'who writes the mails: `address@host` or `Name <address@host>`',
      unset: '`no-reply` at the host of `PUBLIC_URL`',
    }),
  SUPPORT_EMAIL: z.email().default(NO_SUPPORT_EMAIL).meta({
    description: 'whom users may write to; gets their feedback, and stands in `/.well-known/security.txt`',
    unset: 'none',
  }),
  GOOGLE_CLIENT_ID: z.string().optional().meta({
    description:
      'login with Google, with `GOOGLE_CLIENT_SECRET`; its redirect address is `PUBLIC_URL/auth/google/callback`',
    unset: 'the sandbox; no login with Google in production',
  }),
  GOOGLE_CLIENT_SECRET: z.string().optional().meta({ secret: true, description: 'the secret of `GOOGLE_CLIENT_ID`' }),
  GOOGLE_ISSUER: httpUrl.optional().meta({
    description: 'another OpenID provider in its place',
    unset: '`https://accounts.google.com`',
  }),

  STRIPE_SECRET_KEY: z.string().optional().meta({
    secret: true,
    heading: 'Premium',
    description: 'Stripe, with the two below or without all three: the key of the account',
    unset: 'the sandbox; nothing is sold in production',
  }),
  STRIPE_WEBHOOK_SECRET: z.string().optional().meta({
    secret: true,
    description:
      "the secret of its webhook. In Stripe's dashboard the webhook leads to `PUBLIC_URL/api/v1/billing/webhook` and sends `checkout.session.completed`, `customer.deleted`, `customer.subscription.*`, `invoice.paid` and `invoice.payment_failed`; the customer portal lets people cancel",
  }),
  STRIPE_PRICE_ID: z.string().optional().meta({
    description: 'the recurring price of Premium, which the app names beside its upgrade',
  }),
  STRIPE_API_URL: httpUrl.optional().meta({
    description: "another server that speaks Stripe's API; http on this machine only",
    unset: '`https://api.stripe.com`',
  }),
  FREE_MAX_WIDGETS: wholeNumber(1, 1000).default(5).meta({ description: 'pairs of guests and free accounts' }),
  FREE_MAX_CHECKPOINTS: wholeNumber(1, 1000).default(1).meta({ description: 'lists of checkpoints of these' }),
  FREE_RADAR_COINS: wholeNumber(0, 100).default(20).meta({
    description: "coins by market cap whose pairs Radar ranks for these, beside one's own",
  }),
  PREMIUM_MAX_WIDGETS: wholeNumber(1, 1000).default(50).meta({ description: 'pairs of premium accounts' }),
  PREMIUM_MAX_CHECKPOINTS: wholeNumber(1, 1000).default(20).meta({ description: 'lists of checkpoints of these' }),
  PREMIUM_RADAR_COINS: wholeNumber(0, 100).default(100).meta({ description: 'coins that Radar ranks for these' }),

  VAPID_PUBLIC_KEY: z.string().optional().meta({
    heading: 'Alerts',
    description:
      "with `VAPID_PRIVATE_KEY` the pair of keys that introduces the server to push services, base64url, both or none. Every browser's subscription is bound to it, so never change it; all processes of a database need the same",
    unset:
      'made once and kept: with `DATABASE_URL` in the database, else in `DATA_DIR`, where a pair is taken over from',
  }),
  VAPID_PRIVATE_KEY: z
    .string()
    .optional()
    .meta({ secret: true, description: 'the private key of the pair', unset: 'as above' }),
  VAPID_SUBJECT: z
    .string()
    .refine(
      (text) =>
        text.startsWith('mailto:')
          ? z.email().safeParse(text.slice(7)).success
          : z.url({ protocol: /^https$/, hostname: /./ }).safeParse(text).success,
      'must be mailto: and an address, or an https: URL',
    )
    .optional()
    .meta({
      description: 'whom a push service may write to about us: `https:` or `mailto:`',
      unset: '`PUBLIC_URL` where it is https, else `SUPPORT_EMAIL`',
    }),
  PUSH_ALLOWED_HOSTS: hostList.optional().meta({
    description:
      '`host` or `host:port`, separated by commas, instead of the known push services; may be plain http, and in a network of your own',
    unset: 'those of Google, Mozilla, Microsoft and Apple, https only',
  }),
  WEBHOOK_ALLOWED_HOSTS: hostList.default([]).meta({
    description:
      "`host` or `host:port`, separated by commas: receivers of users' webhooks that may be in a network of your own, and plain http",
    unset: 'none: https and public addresses only',
  }),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, 'must be a token of BotFather: digits, a colon, and letters')
    .optional()
    .meta({
      secret: true,
      description: 'the bot, made with BotFather, by which users get alerts in Telegram; one process polls it',
      unset: 'no alerts by Telegram',
    }),
  TELEGRAM_API_URL: httpUrl.default('https://api.telegram.org').meta({
    description: "a server of your own that speaks Telegram's Bot API; http on this machine only",
  }),

  NODE_ENV: z.enum(['development', 'test', 'production']).default('development').meta({
    heading: 'Operation',
    description:
      '`production` makes `JWT_SECRET`, `PUBLIC_URL`, `MARKET_DATA` and `SMTP_URL` mandatory, each missing one named',
  }),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').meta({
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  }),
  METRICS_PORT: hostAndPort.optional().meta({
    description:
      'a port of this machine, or `host:port`, at which a process of either role answers `/healthz`, `/readyz` and `/metrics` without `METRICS_TOKEN`: it must not be reachable from outside. The public port then answers `/healthz` alone of the three. 0 takes any free one, which the first lines of output name',
    unset: 'none: `PORT` answers all three, a worker none',
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, and no spaces')
    .optional()
    .meta({
      secret: true,
      description:
        'a client that shows it as a bearer token may read `/metrics` and `/readyz` from another machine; at least 16 characters',
      unset: 'only programs on this machine may',
    }),
  ENABLE_TESTING_ROUTES: flag.default(false).meta({
    description: '`true` adds `/api/v1/testing/*`; refused in production',
  }),
})
