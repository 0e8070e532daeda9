import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Identity } from '../../src/contract/route'
import { ANONYMOUS_ID_PATTERN } from '../../src/domain/ids'
import { ApiError } from '../http/api-error'
import type { AppDeps } from '../app-deps'
import { requireOperator } from '../services/admin/operators'
import { type Caller, requireUser } from '../services/owners'
import { hashOfSecret } from '../services/secrets'
import { accessTokenReader } from '../services/sessions/access-token'
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
 * whose handler does not say so. To be called before the routes are there.
 */
export function identifyCallers(app: FastifyInstance, deps: IdentityDeps): void {
  const identify = bearers(deps)
  app.addHook('onRoute', (route) => {
    const identity = route.config?.identity
    if (identity === undefined) return
    // Before the body is read, after the rate limits. A guest, whom nobody has to look up, waits for no promise.
    const enter: preParsingHookHandler = (request, reply, payload, done) => {
      // Rows of users and tokens belong in no cache (RFC 6749, 5.1). An answer for everybody says itself how long it is good.
      reply.header('cache-control', 'no-store')
      if (identity === 'none') return done(null, payload)
      // A token wins over the header.
      if (request.headers.authorization !== undefined) {
        identify(request, identity).then(() => done(null, payload), done)
        return
      }
      const guest = guestOf(request)
      admit(guest, identity)
      callers.set(request, guest)
      return done(null, payload)
    }
    route.preParsing = [route.preParsing ?? [], enter].flat()
  })
}

type Admitted = Exclude<Identity, 'none'>

/**
 * A caller that the route does not serve is refused before anything of the request is read, and learns nothing of the call.
 * @throws ApiError FORBIDDEN
 */
function admit(caller: Caller, identity: Admitted): void {
  const isGuest = caller.kind === 'guest'
  if (identity === 'guest' && !isGuest) throw new ApiError('FORBIDDEN', 'Only for guests.')
  if (identity === 'superuser' && isGuest) throw new ApiError('FORBIDDEN', 'Only for superusers.')
  if (identity === 'user') requireUser(caller)
}

/** Identifies callers by their tokens. For superusers the session is looked up: TOKEN_EXPIRED when it has ended. */
function bearers(deps: IdentityDeps) {
  const markSeen = seenMarker(deps)
  const readToken = accessTokenReader(deps.tokenKey, deps.clock)
  return async (request: FastifyRequest, identity: Admitted): Promise<void> => {
    const token = /^bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new ApiError('INVALID_TOKEN', 'The Authorization header holds no bearer token.')
    const bearer = await readToken(token)
    if (bearer.refreshHash !== undefined) await markSeen(bearer.refreshHash)
    const caller: Caller = { kind: 'user', ...bearer }
    admit(caller, identity)
    if (identity === 'superuser') await requireOperator(deps.database.orm, caller)
    callers.set(request, caller)
  }
}

function guestOf({ headers }: FastifyRequest): Caller {
  const anonymous = headers['x-anonymous-user-id']
  if (anonymous === undefined) throw new ApiError('UNAUTHENTICATED', 'An identity is required.')
  if (typeof anonymous !== 'string' || !ANONYMOUS_ID_PATTERN.test(anonymous)) {
    throw new ApiError('INVALID_ANONYMOUS_ID', 'The anonymous id is not valid.')
  }
  return { kind: 'guest', anonymousHash: hashOfSecret(anonymous) }
}
