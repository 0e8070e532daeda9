import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Assertion, Attestation } from '../../src/contract/web-authn'

/** Values that a test may make an authenticator get wrong. */
interface Ceremony {
  readonly challenge: string
  /** The page that asks; the site's own unless said otherwise. */
  readonly origin?: string
  readonly rpId?: string
}

/** A security key in software with one ES256 credential. */
export interface Authenticator {
  readonly credentialId: string
  /** Answers `navigator.credentials.create()`. */
  create(ceremony: Ceremony): Attestation
  /** Answers `navigator.credentials.get()`. The signature counter grows with each answer unless one is given. */
  get(ceremony: Ceremony & { readonly counter?: number }): Assertion
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED_CREDENTIAL = 0x40

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()
const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** The head of a CBOR item (RFC 8949, 3) below 65,536. */
const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.concat([Buffer.from([(major << 5) | 25]), uint(value, 2)])
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...items: readonly Buffer[]): Buffer => Buffer.concat([head(5, items.length / 2), ...items])

/** An ES256 key as COSE_Key (RFC 9053, 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'))
  return map(
    integer(1),
    integer(2),
    integer(3),
    integer(-7),
    integer(-1),
    integer(1),
    integer(-2),
    coordinate(x),
    integer(-3),
    coordinate(y),
  )
}

/** @param how `asks`: it has its user enter a PIN, which it says */
export function newAuthenticator(site: string, how?: 'asks'): Authenticator {
  const { hostname, origin: ownOrigin } = new URL(site)
  const id = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let count = 0
  const present = USER_PRESENT | (how === 'asks' ? USER_VERIFIED : 0)

  const clientData = (type: string, { challenge, origin = ownOrigin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' } as const

  return {
    credentialId: credential.id,
    create: (ceremony) => {
      const credentialData = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey(publicKey)])
      const flags = uint(present | ATTESTED_CREDENTIAL, 1)
      const authData = Buffer.concat([sha256(ceremony.rpId ?? hostname), flags, uint(count, 4), credentialData])
      const attestationObject = map(
        text('fmt'),
        text('none'),
        text('attStmt'),
        map(),
        text('authData'),
        bytes(authData),
      )
      const clientDataJSON = base64url(clientData('webauthn.create', ceremony))
      return {
        ...credential,
        response: { clientDataJSON, attestationObject: base64url(attestationObject), transports: ['usb'] },
      }
    },
    get: (ceremony) => {
      count = ceremony.counter ?? count + 1
      const data = clientData('webauthn.get', ceremony)
      const authenticatorData = Buffer.concat([sha256(ceremony.rpId ?? hostname), uint(present, 1), uint(count, 4)])
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
        },
      }
    },
  }
}
