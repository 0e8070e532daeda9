import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_BASE, type Route, routes } from '../../src/contract/routes'
import { ApiError } from '../api-error'
import type { AppParts } from '../app-parts'
import { countForAddress } from '../services/address-limits'
import { BILLING_WEBHOOK } from '../services/billing/webhook-address'
import { networkCounters } from './network-counters'

/**
 * Requests a minute from one address. A household shares one, and a long queue is drained in a burst. Probes are counted
 * apart: an app that is busy at the same address must not make the server look dead. What can be guessed at, costs a hash
 * or sends a mail is counted by account as well.
 */
const PER_MINUTE = {
  read: 1200,
  write: 600,
  password: 60,
  mail: 20,
  probe: 300,
  webhook: 3000,
  free: Infinity,
} as const

/** What asks the database or the whole process; /healthz does neither. */
const PROBES: readonly string[] = ['/readyz', '/metrics']

const keyOf = ({ method, path }: Route): string => `${method} ${API_BASE}${path}`
const PASSWORDS = new Set(
  [
    routes.logIn,
    routes.googleCallback,
    routes.secondFactor,
    routes.confirm,
    routes.linkGoogle,
    routes.verifyEmail,
    routes.resetPassword,
    routes.changePassword,
    routes.deleteMe,
  ].map(keyOf),
)
const MAILS = new Set([routes.register, routes.resendVerification, routes.requestPasswordReset, routes.feedback].map(keyOf)) // prettier-ignore

/** What a request counts as, by the route that was found: an address may spell the same path in several ways. */
function kind({ method, routeOptions: { url = '' } }: FastifyRequest): keyof typeof PER_MINUTE {
  if (PROBES.includes(url)) return 'probe'
  // All news of all who pay come from a few addresses, and what is refused comes hours later.
  if (url === BILLING_WEBHOOK) return 'webhook'
  if (!url.startsWith('/api/')) return 'free'
  if (method === 'GET' || method === 'HEAD') return 'read'
  const key = `${method} ${url}`
  return PASSWORDS.has(key) ? 'password' : MAILS.has(key) ? 'mail' : 'write'
}

type Parts = Pick<AppParts, 'env' | 'database' | 'clock'>

/**
 * Limits what one address, and of IPv6 each of its networks, may ask of the API and of the probes; the app's files are not
 * counted. Requests that hash a password or send a mail are counted over all processes besides.
 */
export async function limitRates(app: FastifyInstance, { env, database, clock }: Parts): Promise<void> {
  await app.register(rateLimit, {
    timeWindow: '1 minute',
    max: (request) => Math.max(1, Math.round(PER_MINUTE[kind(request)] * env.RATE_LIMIT_FACTOR)),
    keyGenerator: (request) => `${kind(request)} ${request.ip}`,
    allowList: (request) => kind(request) === 'free',
    store: networkCounters(),
    errorResponseBuilder: (_request, { after }) =>
      new ApiError('RATE_LIMITED', `Too many requests. Please try again in ${after}.`),
  })
  // After this process's own limit, which a flood reaches first and at no cost; before anybody is identified.
  app.addHook('preParsing', async (request) => {
    const asked = kind(request)
    if (asked === 'password' || asked === 'mail') {
      await countForAddress(database.orm, env, asked, request.ip, clock())
    }
  })
}
