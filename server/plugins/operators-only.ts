import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import { ApiError } from '../api-error'
import type { Env } from '../env'
import { cameThroughProxy } from '../forwarded'
import { isLoopbackAddress } from '../loopback'
import { hashOfSecret } from '../services/secrets'

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
