import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import { ApiError } from '../api-error'
import type { Env } from '../env'
import { isLoopbackAddress } from '../addresses'
import { hashOfSecret } from '../services/secrets'

/** Headers that reverse proxies, tunnels and content networks add to what they pass on; X-Forwarded-* besides. */
const OF_PROXIES: readonly string[] = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'cf-connecting-ip',
  'cf-ray',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'ngrok-skip-browser-warning',
]

/** True if a proxy says that it passed the request on for somebody else. */
export const cameThroughProxy = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-') || OF_PROXIES.includes(name))

/**
 * Lets in whoever shows METRICS_TOKEN as a bearer token, and programs on this machine: by the connection's own address, and
 * only where no proxy says that it asks for somebody else.
 */
export function operatorsOnly({ METRICS_TOKEN: token }: Pick<Env, 'METRICS_TOKEN'>): preParsingAsyncHookHandler {
  const wanted = token === undefined ? null : hashOfSecret(token)
  return async (request) => {
    if (isLocal(request)) return
    const shown = /^bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (wanted !== null && shown !== undefined && isSame(hashOfSecret(shown), wanted)) return
    throw new ApiError('UNAUTHENTICATED', 'Answered on this machine only, or with METRICS_TOKEN as a bearer token.')
  }
}

const isLocal = ({ headers, socket }: FastifyRequest): boolean =>
  isLoopbackAddress(socket.remoteAddress) && !cameThroughProxy(headers)

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
