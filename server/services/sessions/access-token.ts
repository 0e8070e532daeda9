import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { HOUR } from '../../../src/domain/granularity'
import { ApiError } from '../../http/api-error'
import type { Env } from '../../env'
import { keptFile } from '../../private-files'
import { remember } from '../../waits'
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
const claims = z.object({ sub: z.uuid(), sid: z.uuid(), rth: z.string().max(64).optional(), exp: z.number() })

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

/** Tokens whose signature is not checked again: some 500 bytes each. */
const MOST_KNOWN = 20_000

/**
 * Reads the claims of tokens; the database knows whether their session still lives. A signature is checked once: it takes as
 * long as all else of a short answer.
 * @returns throws ApiError TOKEN_EXPIRED for a token of ours whose time is over, INVALID_TOKEN for anything else
 */
export function accessTokenReader(key: Uint8Array, clock: () => number): (token: string) => Promise<Bearer> {
  const known = remember(HOUR, clock, (token) => verify(key, token, clock()), MOST_KNOWN)
  return async (token) => {
    const { bearer, expires } = await known(token)
    if (expires <= Math.floor(clock() / 1000)) throw expired()
    return bearer
  }
}

const expired = () => new ApiError('TOKEN_EXPIRED', 'The access token has expired.')

async function verify(key: Uint8Array, token: string, now: number) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      currentDate: new Date(now),
    })
    const { sub, sid, rth, exp } = claims.parse(payload)
    const bearer: Bearer = { userId: sub, sessionId: sid, ...(rth !== undefined && { refreshHash: rth }) }
    return { bearer, expires: exp }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired()
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
