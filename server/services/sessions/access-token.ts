import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { ApiError } from '../../http/api-error'
import type { Env } from '../../env'
import { keptFile } from '../../private-files'
import type { Bearer } from '../owners'

/*
 * Access tokens are JSON Web Tokens (RFC 9068's type, HS256) with user, session, refresh token and end, and nothing else:
 * the user's rights and the session's life are looked up, so that a change holds from its moment.
 */
const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'
const ISSUER = 'crypto-ratio-tracker'

/**
 * `sid` as OpenID Connect's logout specifications name it; `rth` is the hash of the refresh token that came with it, absent
 * in tokens of earlier versions.
 */
const claims = z.object({ sub: z.uuid(), sid: z.uuid(), rth: z.string().max(64).optional() })

/** @param lifetime seconds */
export function signAccessToken(
  key: Uint8Array,
  { userId, sessionId, refreshHash, now, lifetime }: Bearer & { readonly now: number; readonly lifetime: number },
): Promise<string> {
  const issued = Math.floor(now / 1000)
  return new SignJWT({ sid: sessionId, ...(refreshHash !== undefined && { rth: refreshHash }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setSubject(userId)
    .setIssuedAt(issued)
    .setExpirationTime(issued + lifetime)
    .sign(key)
}

/**
 * Claims of the token; the database knows whether its session still lives.
 * @throws ApiError TOKEN_EXPIRED for a token of ours whose time is over, INVALID_TOKEN for anything else
 */
export async function readAccessToken(key: Uint8Array, token: string, now: number): Promise<Bearer> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      currentDate: new Date(now),
    })
    const { sub, sid, rth } = claims.parse(payload)
    return { userId: sub, sessionId: sid, ...(rth !== undefined && { refreshHash: rth }) }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new ApiError('TOKEN_EXPIRED', 'The access token has expired.')
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) {
      throw new ApiError('INVALID_TOKEN', 'The access token is not valid.')
    }
    throw error
  }
}

/** As many characters as JWT_SECRET must have. */
const SHORTEST = 32
export const JWT_SECRET_FILE = 'jwt-secret'

/**
 * Key that signs access tokens: JWT_SECRET, or outside production a secret that is made once and kept in DATA_DIR.
 * @throws Error when the kept secret cannot be read or is none
 */
export function accessTokenKey({ JWT_SECRET, DATA_DIR }: Pick<Env, 'JWT_SECRET' | 'DATA_DIR'>): Uint8Array {
  return new TextEncoder().encode(JWT_SECRET ?? keptSecret(DATA_DIR))
}

function keptSecret(folder: string): string {
  const kept = keptFile(folder, JWT_SECRET_FILE, () => randomBytes(48).toString('base64url'))
  if (kept.length < SHORTEST)
    throw new Error(`${join(folder, JWT_SECRET_FILE)} does not hold a secret. Remove it, and a new one is made.`)
  return kept
}
