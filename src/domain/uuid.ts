/**
 * A version 4 UUID (RFC 9562, 5.4).
 * @param random 16 bytes from a cryptographic source; all but 6 bits of them are used
 */
export function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random.subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
