import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'

const LONGEST_LIFE = 24 * 60 * 60

/**
 * A push service checks of an application server that names itself (RFC 8292): the scheme `vapid`, the key that the
 * subscription is bound to, and a token of at most a day, signed with that key for this push service.
 *
 * @param audience the push service's origin
 * @param key the subscription's applicationServerKey, base64url of an uncompressed point of P-256
 * @returns the status to refuse with; null where all is well
 */
export async function vapidRefusal(
  header: string | undefined,
  audience: string,
  key: string,
): Promise<401 | 403 | null> {
  const [, token, sentKey] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? []
  if (token === undefined || sentKey === undefined) return 401
  if (!pointOf(sentKey).equals(pointOf(key))) return 403
  try {
    const { payload } = await jwtVerify(token, publicKey(key), {
      algorithms: ['ES256'],
      audience,
      requiredClaims: ['exp', 'sub'],
    })
    const tooLong = (payload.exp ?? 0) > Date.now() / 1000 + LONGEST_LIFE
    return tooLong || !/^(mailto:|https:)/.test(payload.sub ?? '') ? 401 : null
  } catch {
    return 401
  }
}

/** Browsers write it with padding, application servers without. */
const pointOf = (key: string) => Buffer.from(key, 'base64url')

function publicKey(key: string) {
  const point = pointOf(key)
  const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map((part) => part.toString('base64url'))
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
}
