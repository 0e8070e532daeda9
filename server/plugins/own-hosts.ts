import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '../env'
import { isLoopbackHost, isSameAddress } from '../http/addresses'
import { ForeignRequest } from '../http/api-error'

/** A supervisor asks by whatever address it knows, and learns that the process is up. */
const FOR_ALL_HOSTS = '/healthz'

/**
 * Refuses requests that name another host than ours, and those of other sites' pages. A page elsewhere can have its own name
 * point here (DNS rebinding): its browser then takes us for that page's server and asks as a program of this network or
 * machine. The Host header alone says so: X-Forwarded-Host is for any page to set.
 */
export function refuseForeignHosts(app: FastifyInstance, env: Pick<Env, 'PUBLIC_URL' | 'ALLOWED_HOSTS'>): void {
  const names = new Set([new URL(env.PUBLIC_URL).hostname, ...env.ALLOWED_HOSTS])
  app.addHook('onRequest', (request, _reply, done) => {
    const host = withoutPort(request.headers.host)
    const isOurs = names.has(host) || isLoopbackHost(host) || isSameAddress(host, request.socket.localAddress)
    if (isOurs && isOwnOrigin(request, env)) return done()
    if (request.routeOptions.url === FOR_ALL_HOSTS) return done()
    return done(new ForeignRequest(isOurs ? 'Origin' : 'Host'))
  })
}

const withoutPort = (header = ''): string => header.toLowerCase().replace(/:\d+$/, '')

/**
 * True where no page asks, or one of ours: of PUBLIC_URL, or of the host and port that are asked. PUBLIC_URL's own host has that
 * one origin: a page of it without TLS may be anybody's. A form of our own pages has the origin "null", since they name no referrer.
 */
function isOwnOrigin({ headers }: FastifyRequest, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): boolean {
  const { origin, host } = headers
  if (origin === undefined || origin === PUBLIC_URL) return true
  if (origin === 'null') return headers['sec-fetch-site'] === 'same-origin'
  const page = URL.canParse(origin) ? new URL(origin).host : ''
  return page !== new URL(PUBLIC_URL).host && page === host?.toLowerCase()
}
