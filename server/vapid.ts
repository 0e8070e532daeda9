import { createECDH } from 'node:crypto'

/** A key pair on P-256 (RFC 8292): base64url of the uncompressed point (65 bytes) and of the scalar (32 bytes). */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** How we introduce ourselves to push services. */
export interface Vapid extends VapidKeys {
  /** Contact for push services: an https: or mailto: URL. */
  readonly subject: string
}

export function newVapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // Without its leading zeros a scalar is shorter.
  const scalar = pair.getPrivateKey()
  const privateKey = Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]).toString('base64url')
  return { publicKey, privateKey }
}

/** True if the private key is valid and the public key belongs to it. */
export function isVapidPair({ publicKey, privateKey }: VapidKeys): boolean {
  if (!/^[\w-]{43}$/.test(privateKey)) return false
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
  } catch {
    // Zero, or beyond the curve's order.
    return false
  }
  return pair.getPublicKey('base64url') === publicKey
}
