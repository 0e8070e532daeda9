import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Identity } from '../../src/contract/route'
import { ANONYMOUS_ID_PATTERN } from '../../src/domain/ids'
import { ApiError } from '../http/api-error'
import type { AppDeps } from '../app-deps'
import { requireOperator } from '../services/admin/operators'
import { type Caller, requireUser } from '../services/owners'
import { hashOfSecret } from '../services/secrets'
import { readAccessToken } from '../services/sessions/access-token'
import { seenMarker } from '../services/sessions/sessions'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The callers that a route of the API serves; absent: a file, a probe or a page, for all. */
    identity?: Identity
  }
}

type IdentityDeps = Pick<AppDeps, 'tokenKey' | 'clock' | 'database' | 'env'>

const callers = new WeakMap<FastifyRequest, Caller>()

/** The caller of a request to a route that serves guests or users; null where anybody may ask. */
export const callerOf = (request: FastifyRequest): Caller | null => callers.get(request) ?? null

/**
 * Turns every request to a route that is not for everybody into a caller, or refuses it; no cache keeps an answer of the API
 * whose handler does not say so.
 */
export function identifyCallers(app: FastifyInstance, deps: IdentityDeps): void {
  const markSeen = seenMarker(deps)
  // Before the body is read, after the rate limit (which is an onRequest hook).
  app.addHook('preParsing', async (request, reply) => {
    const { identity } = request.routeOptions.config
    if (identity === undefined) return
    // Rows of users and tokens belong in no cache (RFC 6749, 5.1). An answer for everybody says itself how long it is good.
    reply.header('cache-control', 'no-store')
    if (identity === 'none') return
    const caller = await identify(request, deps)
    if (caller.kind === 'user' && caller.refreshHash !== undefined) await markSeen(caller.refreshHash)
    await admit(caller, identity, deps)
    callers.set(request, caller)
  })
}

/**
 * A caller that the route does not serve is refused before anything of the request is read, and learns nothing of the call.
 * @throws ApiError FORBIDDEN; TOKEN_EXPIRED when it is for superusers and the session has ended
 */
async function admit(caller: Caller, identity: Exclude<Identity, 'none'>, { database }: IdentityDeps): Promise<void> {
  switch (identity) {
    case 'any':
      return
    case 'guest':
      if (caller.kind !== 'guest') throw new ApiError('FORBIDDEN', 'Only for guests.')
      return
    case 'user':
      return void requireUser(caller)
    case 'superuser':
      await requireOperator(database.orm, caller)
  }
}

/** The one place where a request becomes a caller. A token wins over the header. */
async function identify({ headers }: FastifyRequest, deps: IdentityDeps): Promise<Caller> {
  if (headers.authorization !== undefined) {
    const token = /^bearer +([^ ]+)$/i.exec(headers.authorization)?.[1]
    if (token === undefined) throw new ApiError('INVALID_TOKEN', 'The Authorization header holds no bearer token.')
    return { kind: 'user', ...(await readAccessToken(deps.tokenKey, token, deps.clock())) }
  }
  const anonymous = headers['x-anonymous-user-id']
  if (anonymous === undefined) throw new ApiError('UNAUTHENTICATED', 'An identity is required.')
  if (typeof anonymous !== 'string' || !ANONYMOUS_ID_PATTERN.test(anonymous)) {
    throw new ApiError('INVALID_ANONYMOUS_ID', 'The anonymous id is not valid.')
  }
  return { kind: 'guest', anonymousHash: hashOfSecret(anonymous) }
}
