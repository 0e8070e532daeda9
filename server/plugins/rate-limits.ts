import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_BASE, type Route, type RouteName, routes } from '../../src/contract/routes'
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

type WriteName = { [N in RouteName]: (typeof routes)[N]['method'] extends 'GET' ? never : N }[RouteName]

/**
 * Cost of each call that writes: the server process hashes or checks a password or asks Google (`password`), has a mail
 * sent (`mail`), or does neither. The compiler asks for each call of the table.
 */
export const COST_OF_WRITES: Readonly<Record<WriteName, 'password' | 'mail' | 'write'>> = {
  createWidget: 'write',
  updateWidget: 'write',
  deleteWidget: 'write',
  reorderWidgets: 'write',
  createCheckpoint: 'write',
  updateCheckpoint: 'write',
  deleteCheckpoint: 'write',
  deleteCheckpoints: 'write',
  reorderCheckpoints: 'write',
  setDefaultCheckpoint: 'write',
  createAnonymousCheckpoint: 'write',
  deleteAnonymousCheckpoint: 'write',
  logIn: 'password',
  googleCallback: 'password',
  refreshToken: 'write',
  logOut: 'write',
  register: 'mail',
  resendVerification: 'mail',
  verifyEmail: 'password',
  deleteMe: 'password',
  deleteMeOauth: 'mail',
  acceptPolicies: 'write',
  feedback: 'mail',
  subscribePush: 'write',
  unsubscribePush: 'write',
  requestPasswordReset: 'mail',
  resetPassword: 'password',
  changePassword: 'password',
  secondFactor: 'password',
  confirmOptions: 'write',
  confirm: 'password',
  addPasskeyOptions: 'write',
  addPasskey: 'mail',
  removePasskey: 'mail',
  renewRecoveryCodes: 'write',
  linkGoogle: 'password',
  unlinkGoogle: 'mail',
  deleteMyData: 'write',
  endSession: 'write',
  endOtherSessions: 'write',
  createCheckoutSession: 'write',
  createPortalSession: 'write',
  refreshSubscription: 'write',
  grantPremium: 'write',
  revokePremium: 'write',
  resetUserState: 'write',
}

const keyOf = ({ method, path }: Route): string => `${method} ${API_BASE}${path}`
const COSTS = new Map(Object.entries(COST_OF_WRITES).map(([name, cost]) => [keyOf(routes[name as WriteName]), cost]))

/** What a request counts as, by the route that was found: an address may spell the same path in several ways. */
function kind({ method, routeOptions: { url = '' } }: FastifyRequest): keyof typeof PER_MINUTE {
  if (PROBES.includes(url)) return 'probe'
  // All news of all who pay come from a few addresses, and what is refused comes hours later.
  if (url === BILLING_WEBHOOK) return 'webhook'
  if (!url.startsWith('/api/')) return 'free'
  if (method === 'GET' || method === 'HEAD') return 'read'
  return COSTS.get(`${method} ${url}`) ?? 'write'
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
