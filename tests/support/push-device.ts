import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushSubscriptionBody } from '../../src/contract/alerts'

/** The keys of a subscription, and what a browser can read with them. */
export interface DeviceKeys {
  readonly keys: PushSubscriptionBody['keys']
  /** The text of a message that was encrypted for this device. @throws where it was not */
  readonly decrypt: (body: Buffer) => string
}

const KEY_LENGTH = 16
const NONCE_LENGTH = 12
/** Salt (16 bytes), record size (4), length of the key id (1): RFC 8188, 2.1. */
const HEADER_LENGTH = 21

/** The receiving side of RFC 8291 (Message Encryption for Web Push), for messages of one record. */
export function deviceKeys(): DeviceKeys {
  const ecdh = createECDH('prime256v1')
  const own = ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    decrypt: (body) => {
      const salt = body.subarray(0, 16)
      const end = HEADER_LENGTH + body.readUInt8(HEADER_LENGTH - 1)
      const sender = body.subarray(HEADER_LENGTH, end)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
      const input = hkdf(ecdh.computeSecret(sender), auth, info, 32)
      const key = hkdf(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_LENGTH)
      const nonce = hkdf(input, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_LENGTH)
      const tag = body.subarray(-16)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(tag)
      const padded = Buffer.concat([decipher.update(body.subarray(end, -16)), decipher.final()])
      // The last record ends with 2 and any number of zeros (RFC 8188, 2).
      const length = padded.findLastIndex((byte) => byte !== 0)
      if (padded[length] !== 2) throw new Error('The message has no end.')
      return padded.subarray(0, length).toString()
    },
  }
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))
