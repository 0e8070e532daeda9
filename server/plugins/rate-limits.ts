import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Route } from '../../src/contract/route'
import { MINUTE } from '../../src/domain/granularity'
import { channelRoutes } from '../../src/contract/channels'
import { API_BASE, routes as mainRoutes } from '../../src/contract/routes'
import { streamRoute } from '../../src/contract/stream'
import { TooManyRequests } from '../http/api-error'
import { networkCounters } from '../http/network-counters'
import type { AppDeps } from '../app-deps'
import { countForAddress } from '../services/address-limits'
import { BILLING_WEBHOOK } from '../services/billing/payment-provider'

/**
 * Requests a minute from one address. A household shares one, and a long queue is drained in a burst. Probes are counted
 * apart: an app that is busy at the same address must not make the server look dead. Calls that allow guessing, cost a
 * hash or send a mail are counted by account as well.
 */
const PER_MINUTE = {
  read: 1200,
  stream: 1200,
  write: 600,
  password: 60,
  mail: 20,
  probe: 300,
  webhook: 3000,
  free: Infinity,
} as const

/** Streams that come back at once, as after a restart, leave the reads of their address alone. */
const STREAM = `${API_BASE}${streamRoute.path}`

/** Probes that ask the database or the whole process; /healthz does neither. */
const PROBES: readonly string[] = ['/readyz', '/metrics']

const routes = { ...mainRoutes, ...channelRoutes }
type RouteName = keyof typeof routes
type WriteName = { [N in RouteName]: (typeof routes)[N]['method'] extends 'GET' ? never : N }[RouteName]

/**
 * Cost of each call that writes: the server process hashes or checks a password or asks Google (`password`), has a mail
 * sent or asks a host that the caller names (`mail`), or does neither. The compiler asks for each call of the table.
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
  createRule: 'write',
  updateRule: 'write',
  deleteRule: 'write',
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
  pushShown: 'write',
  unsubscribePush: 'write',
  createChannel: 'mail',
  updateChannel: 'mail',
  deleteChannel: 'write',
  testChannel: 'mail',
  rotateSecret: 'write',
  saveAlertSettings: 'write',
  requestPasswordReset: 'mail',
  resetPassword: 'password',
  changePassword: 'password',
  secondFactor: 'password',
  passkeyOptions: 'write',
  logInByPasskey: 'password',
  registerByPasskey: 'mail',
  confirmOptions: 'write',
  confirm: 'password',
  addPasskeyOptions: 'write',
  addPasskey: 'mail',
  removePasskey: 'mail',
  disownPasskey: 'mail',
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
  endUserSessions: 'write',
  resetUserState: 'write',
}

const keyOf = ({ method, path }: Route): string => `${method} ${API_BASE}${path}`
const COSTS = new Map(Object.entries(COST_OF_WRITES).map(([name, cost]) => [keyOf(routes[name as WriteName]), cost]))

/** The kind that requests of a route count as: an address may spell the same path in several ways. */
function kindOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>): keyof typeof PER_MINUTE {
  if (PROBES.includes(url)) return 'probe'
  // All news of all who pay come from a few addresses, and what is refused comes hours later.
  if (url === BILLING_WEBHOOK) return 'webhook'
  if (!url.startsWith('/api/')) return 'free'
  if (url === STREAM) return 'stream'
  if (method === 'GET' || method === 'HEAD') return 'read'
  return COSTS.get(`${String(method)} ${url}`) ?? 'write'
}

type RateLimitsDeps = Pick<AppDeps, 'env' | 'database' | 'clock'>

/**
 * Limits what one address, and of IPv6 each of its networks, may ask of the API and of the probes; the app's files are not
 * counted. Requests that hash a password or send a mail are counted over all processes besides. To be called before the
 * routes are there.
 */
export function limitRates(app: FastifyInstance, { env, database, clock }: RateLimitsDeps): void {
  const count = networkCounters(MINUTE)
  app.addHook('onRoute', (route) => {
    const kind = kindOf(route)
    if (kind === 'free') return
    const max = Math.max(1, Math.round(PER_MINUTE[kind] * env.RATE_LIMIT_FACTOR))
    route.onRequest = [route.onRequest ?? []].flat()
    route.onRequest.push((request, _reply, done) => {
      const { current, ttl } = count(kind, request.ip, max)
      done(current > max ? new TooManyRequests(Math.ceil(ttl / 1000)) : undefined)
    })
    if (kind !== 'password' && kind !== 'mail') return
    // After this process's own limit, which a flood reaches first and at no cost; before anybody is identified.
    const inAll = async ({ ip }: { readonly ip: string }) => countForAddress(database.orm, env, kind, ip, clock())
    route.preParsing = [inAll, route.preParsing ?? []].flat()
  })
}
