export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** A version 4 UUID. `crypto.randomUUID` exists only over https and on localhost; a self-hosted app may run on neither. */
export function uuid(): string {
  const bytes = randomBytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
