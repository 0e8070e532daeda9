import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../src/contract/routes'
import { ANONYMOUS_ID_PATTERN } from '../../src/domain/ids'
import { ApiError } from '../api-error'

/** Who asks. A guest is known by the hash of the anonymous id alone; the id itself goes nowhere. */
export interface Caller {
  readonly kind: 'guest'
  readonly anonymousHash: string
}

/**
 * The one place where a request becomes a caller. A token wins over the header; as there are no accounts yet, no token
 * is valid.
 * @throws ApiError 401
 */
function identify(request: FastifyRequest): Caller {
  if (request.headers.authorization !== undefined) {
    throw new ApiError('INVALID_TOKEN', 'The access token is not valid.')
  }
  const anonymous = request.headers['x-anonymous-user-id']
  if (anonymous === undefined) throw new ApiError('UNAUTHENTICATED', 'An identity is required.')
  if (typeof anonymous !== 'string' || !ANONYMOUS_ID_PATTERN.test(anonymous)) {
    throw new ApiError('INVALID_ANONYMOUS_ID', 'The anonymous id is not valid.')
  }
  // The id holds at least 128 random bits, so a plain hash cannot be searched.
  return { kind: 'guest', anonymousHash: createHash('sha256').update(anonymous).digest('base64url') }
}

/**
 * The caller, if the route serves that kind of caller.
 * @throws ApiError 401, 403
 */
export function admit(request: FastifyRequest, identity: Exclude<Identity, 'none'>): Caller {
  const caller = identify(request)
  if (identity !== 'any' && identity !== caller.kind) {
    throw new ApiError('FORBIDDEN', identity === 'user' ? 'Only for registered users.' : 'Only for guests.')
  }
  return caller
}
