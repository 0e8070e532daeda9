import { randomUUID } from 'node:crypto'
import { BROWSER_KEYS } from './subscription'

/** Members of an OpenAPI schema that the generated requests read. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Text that must be harmless wherever it turns up. */
export const NASTY_TEXT = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '<script>alert(1)</script>',
  '=1+1',
  "'; DROP TABLE widgets; --",
  '../../etc/passwd',
  '%00',
  '${7*7}',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  'é'.repeat(400),
]

/** Whether a call does without a body. */
export const mayBeNothing = (schema: Schema): boolean => types(schema).includes('null')

export const types = (schema: Schema): readonly string[] =>
  schema.anyOf?.flatMap(types) ?? (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []))

/** A value that the schema allows. */
export function goodValue(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return goodValue(schema.anyOf[0])
  if (schema.format === 'uuid') return randomUUID()
  if (schema.format === 'date-time') return '2026-01-15T12:00:00Z'
  if (schema.format === 'email') return 'ada@example.com'
  if (schema.format === 'uri') return 'https://ratio.example/callback'
  switch (types(schema)[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, goodValue(member)]),
      )
    case 'array':
      return (schema.minItems ?? 0) === 0 ? [] : [goodValue(schema.items!)]
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      // Its own quotient: a checkpoint's prices must make its ratio.
      return Math.min(1, schema.maximum ?? 1)
    default:
      return goodText(schema)
  }
}

let minutes = 0
/** Another one than before: quiet hours end when they do not begin. */
const wallTime = () => `22:${String(minutes++ % 60).padStart(2, '0')}`

/** A coin's id wherever that will do; a text that no user would choose as a password; the keys of a browser (RFC 8291, 5). */
function goodText({ minLength = 0, pattern }: Schema): string {
  const texts = [
    'bitcoin',
    'UTC',
    wallTime(),
    'k7w-Tq2_Zr9'.repeat(20).slice(0, Math.max(minLength, 43)),
    BROWSER_KEYS.p256dh,
    BROWSER_KEYS.auth,
  ]
  const text = texts.find(
    (text) => text.length >= minLength && (pattern === undefined || new RegExp(pattern).test(text)),
  )
  if (text === undefined) throw new Error(`No text is good for ${pattern}.`)
  return text
}

/** Values that the schema does not allow. */
export function badValues(schema: Schema): unknown[] {
  const allowed = types(schema)
  const wrongTypes: unknown[] = [
    ...(allowed.includes('null') ? [] : [null]),
    ...(allowed.includes('boolean')
      ? schema.enum?.includes(false) === false
        ? [false]
        : []
      : allowed.includes('string')
        ? [true]
        : [true, 'true']),
    ...(allowed.includes('string') ? [] : NASTY_TEXT),
    ...(allowed.includes('number') || allowed.includes('integer') ? [] : [0, 1e308]),
    ...(allowed.includes('array') ? [] : [[], [1], [[[]]]]),
    ...(allowed.includes('object') ? [] : [{}, { toString: 1 }]),
  ]
  const { minimum = -Infinity, maximum = Infinity } = schema
  const outOfBounds =
    allowed.includes('number') && schema.enum === undefined
      ? [
          ...[0, -1, -0.5, 1e-40, 1e31, 1e300, Number.MIN_VALUE, Number.MAX_VALUE].filter(
            (value) => value < minimum || value > maximum,
          ),
          '1',
          '1e3',
          'NaN',
          'Infinity',
        ]
      : []
  const { pattern, format } = schema
  const fits = (text: string): boolean => pattern === undefined || new RegExp(pattern, 'u').test(text)
  const badText = format !== undefined ? NASTY_TEXT : NASTY_TEXT.filter((text) => !fits(text))
  const { minLength = 0, maxLength } = schema
  const badLengths = [
    ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ]
  const badItems = schema.items === undefined ? [] : badValues(schema.items).map((item) => [item])
  return [...wrongTypes, ...outOfBounds, ...badText, ...badLengths, ...badItems]
}

/** Texts that stand for no value which the schema allows; an empty one may stand for nothing at all. */
export function badTexts(schema: Schema): string[] {
  const { minimum, maximum, maxLength, pattern } = schema
  const numbers = [
    '1.5',
    'NaN',
    'Infinity',
    '1e308',
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
  ]
  const refused = (text: string) => {
    if (types(schema).includes('integer')) return text.trim() !== ''
    if (schema.enum !== undefined || schema.format !== undefined) return true
    return text.length > (maxLength ?? Infinity) || (pattern !== undefined && !new RegExp(pattern).test(text))
  }
  // An address cannot hold half a character.
  return [
    ...NASTY_TEXT.filter((text) => text !== '\ud800' && refused(text)),
    ...(types(schema).includes('integer') ? numbers : []),
  ]
}
