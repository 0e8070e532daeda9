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

declare const brand: unique symbol
type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** The market-data provider's id of a coin, such as `bitcoin`. */
export type CoinId = Brand<string, 'CoinId'>
/** A server UUID, or a `temp-` id until the server has answered the create. */
export type WidgetId = Brand<string, 'WidgetId'>
/** A server UUID, or a `temp-cp-` id until the server has answered the create. */
export type CheckpointId = Brand<string, 'CheckpointId'>
/** The name of one alert: of a widget's threshold `widget:side`, of another a UUID, or a `temp-rule-` id until the server has answered the create. */
export type RuleId = Brand<string, 'RuleId'>
/** An anonymous id (`anon-…`) or a user's UUID. */
export type OwnerId = Brand<string, 'OwnerId'>
/** UUID of one mutation; travels as the `Idempotency-Key`. */
export type OpId = Brand<string, 'OpId'>

export const COIN_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/
export const ANONYMOUS_ID_PATTERN = /^anon-\d{13}-[A-Za-z0-9_-]{22,64}$/

const TEMP_CHECKPOINT_PREFIX = 'temp-cp-'
const TEMP_RULE_PREFIX = 'temp-rule-'
const TEMP_WIDGET_PREFIX = 'temp-'

export const isTempId = (id: string): boolean => id.startsWith(TEMP_WIDGET_PREFIX)
export const isAnonymousOwner = (owner: string): boolean => owner.startsWith('anon-')

export const tempWidgetId = (uuid: string): WidgetId => `${TEMP_WIDGET_PREFIX}${uuid}` as WidgetId
export const tempRuleId = (uuid: string): RuleId => `${TEMP_RULE_PREFIX}${uuid}` as RuleId
export const tempCheckpointId = (uuid: string): CheckpointId => `${TEMP_CHECKPOINT_PREFIX}${uuid}` as CheckpointId

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * A new anonymous identity. Knowing the id is owning its widgets, so `random` must come from a cryptographic source.
 * @param now milliseconds since 1970
 * @param random at least 24 bytes; 6 bits of each are used (144 bits in all)
 */
export function anonymousId(now: number, random: Uint8Array): OwnerId {
  let text = ''
  for (const byte of random.subarray(0, 24)) text += BASE64URL[byte & 63]
  return `anon-${String(Math.trunc(now)).padStart(13, '0')}-${text}` as OwnerId
}
