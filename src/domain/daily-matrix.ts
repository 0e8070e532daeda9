import { DAY } from './granularity'
import { COIN_ID_PATTERN, type CoinId } from './ids'

/** Daily closes in USD of many coins, one column of UTC days. */
export interface DailyMatrix {
  /** The market-data source; prices of two sources never meet in one ratio. */
  readonly source: string
  /** Number of the first day since 1970, and how many days follow it, itself included. All of them have ended. */
  readonly firstDay: number
  readonly days: number
  /** So many coins at the front are the best by market cap, best first; those behind are watched by somebody. */
  readonly ranked: number
  readonly coins: readonly CoinId[]
  /** Coin by coin, `days` closes each: price at the day's end; NaN: not known, or left out. */
  readonly prices: Float32Array
  /*
   * By row, for those rows alone of which there is something to say; a matrix of an earlier server says nothing.
   */
  /** Money that the coin stands for, by its provider's categories. */
  readonly kinds?: ReadonlyMap<number, CoinKind>
  /** Columns of closes that look wrong and are left out, in order. */
  readonly leftOut?: ReadonlyMap<number, readonly number[]>
  /** Number of the UTC day since which the coin has closed at one and the same price, the matrix's last day included. */
  readonly frozenSince?: ReadonlyMap<number, number>
}

/** A coin that is kept at one US dollar, or one that stands for another coin: wrapped, bridged, staked. */
export const COIN_KINDS = ['usd', 'wrapped'] as const
export type CoinKind = (typeof COIN_KINDS)[number]

/** Days that the matrix reaches back. */
export const MATRIX_DAYS = 365
/** Coins by market cap that it holds in any case. */
export const MATRIX_COINS = 100

/** Number of the UTC day that holds `time`, since 1970. @param time milliseconds */
export const utcDayOf = (time: number): number => Math.floor(time / DAY)

/** Milliseconds at which a day ends: the moment that its close stands for. */
export const dayEnd = (day: number): number => (day + 1) * DAY

/** The closes of the coin at `row`, as a view. */
export const closesOf = ({ prices, days }: DailyMatrix, row: number): Float32Array =>
  prices.subarray(row * days, (row + 1) * days)

/*
 * The wire format, little-endian:
 *
 *     0  "RTD1"           magic and version
 *     4  uint32           bytes of the header, a multiple of 4
 *     8  ASCII            header: {"source", "first_day", "days", "ranked", "coins"} as JSON, padded with spaces
 *     …  float32[]        closes, coin by coin
 *
 * Every ID of a coin is ASCII, so that bytes are characters. The header may also have, each where there is such a coin, and
 * of no effect on a reader that does not know them: "kinds", the rows of each kind; "left_out", the columns left out by row;
 * "frozen", the day by row.
 */
const MAGIC = 'RTD1'
const HEADER_AT = 8

const putText = (bytes: Uint8Array, at: number, text: string): void => {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
}

const textOf = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

const object = <V>(entries: ReadonlyMap<number, V> | undefined): Record<string, V> | undefined =>
  entries === undefined || entries.size === 0 ? undefined : Object.fromEntries(entries)

function rowsByKind(kinds: DailyMatrix['kinds']): Record<string, number[]> | undefined {
  if (kinds === undefined || kinds.size === 0) return undefined
  const rowsOf = (kind: CoinKind) => [...kinds].flatMap(([row, its]) => (its === kind ? [row] : []))
  return Object.fromEntries(COIN_KINDS.map((kind) => [kind, rowsOf(kind)]))
}

export function encodeDailyMatrix(matrix: DailyMatrix): ArrayBuffer {
  const { source, firstDay, days, ranked, coins, prices } = matrix
  const json = JSON.stringify({
    source,
    first_day: firstDay,
    days,
    ranked,
    coins,
    kinds: rowsByKind(matrix.kinds),
    left_out: object(matrix.leftOut),
    frozen: object(matrix.frozenSince),
  })
  const header = json.padEnd(Math.ceil(json.length / 4) * 4)
  const buffer = new ArrayBuffer(HEADER_AT + header.length + 4 * prices.length)
  const bytes = new Uint8Array(buffer)
  const view = new DataView(buffer)
  putText(bytes, 0, MAGIC)
  view.setUint32(4, header.length, true)
  putText(bytes, HEADER_AT, header)
  prices.forEach((price, index) => view.setFloat32(HEADER_AT + header.length + 4 * index, price, true))
  return buffer
}

interface Header {
  readonly source: string
  readonly first_day: number
  readonly days: number
  readonly ranked: number
  readonly coins: readonly CoinId[]
  /** Not checked: what a later version writes differently is left unread. */
  readonly kinds?: unknown
  readonly left_out?: unknown
  readonly frozen?: unknown
}

const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most

const isHeader = (value: unknown): value is Header => {
  if (typeof value !== 'object' || value === null) return false
  const { source, first_day, days, ranked, coins } = value as Partial<Record<keyof Header, unknown>>
  return (
    typeof source === 'string' &&
    isCount(first_day, 1e6) &&
    isCount(days, 4000) &&
    Array.isArray(coins) &&
    isCount(ranked, coins.length) &&
    coins.every((coin) => typeof coin === 'string' && COIN_ID_PATTERN.test(coin)) &&
    new Set(coins).size === coins.length
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Entries by row of a member of the header, those that can be read. */
function byRow<V>(header: Header, member: unknown, isValue: (value: unknown) => value is V): ReadonlyMap<number, V> {
  const read = new Map<number, V>()
  if (!isObject(member)) return read
  for (const [key, value] of Object.entries(member)) {
    if (isRow(header, Number(key)) && isValue(value)) read.set(Number(key), value)
  }
  return read
}

const isRow = ({ coins }: Header, value: unknown): value is number => isCount(value, coins.length - 1)

function marksOf(header: Header): Pick<DailyMatrix, 'kinds' | 'leftOut' | 'frozenSince'> {
  const { first_day, days, left_out, frozen } = header
  const rows: object = isObject(header.kinds) ? header.kinds : {}
  const kinds = COIN_KINDS.flatMap((kind) => {
    const listed: unknown = (rows as Record<string, unknown>)[kind]
    return Array.isArray(listed) ? listed.filter((row) => isRow(header, row)).map((row) => [row, kind] as const) : []
  })
  const isColumns = (value: unknown): value is number[] =>
    Array.isArray(value) && value.every((column) => isCount(column, days - 1))
  const isDay = (value: unknown): value is number => isCount(value, first_day + days - 1)
  return {
    kinds: new Map(kinds),
    leftOut: byRow(header, left_out, isColumns),
    frozenSince: byRow(header, frozen, isDay),
  }
}

function readHeader(bytes: Uint8Array): Header | null {
  try {
    const header: unknown = JSON.parse(textOf(bytes))
    return isHeader(header) ? header : null
  } catch {
    return null
  }
}

/** Reads the wire format; null: another version, or damaged. A close that is not above zero is read as not known. */
export function decodeDailyMatrix(buffer: ArrayBuffer): DailyMatrix | null {
  if (buffer.byteLength < HEADER_AT) return null
  const bytes = new Uint8Array(buffer)
  if (textOf(bytes.subarray(0, MAGIC.length)) !== MAGIC) return null
  const view = new DataView(buffer)
  const length = view.getUint32(4, true)
  const start = HEADER_AT + length
  if (length % 4 !== 0 || start > buffer.byteLength) return null
  const header = readHeader(bytes.subarray(HEADER_AT, start))
  if (header === null) return null
  const { source, first_day: firstDay, days, ranked, coins } = header
  if (buffer.byteLength !== start + 4 * coins.length * days) return null
  const prices = new Float32Array(coins.length * days)
  for (let i = 0; i < prices.length; i++) {
    const price = view.getFloat32(start + 4 * i, true)
    prices[i] = price > 0 && price < Infinity ? price : NaN
  }
  return { source, firstDay, days, ranked, coins, prices, ...marksOf(header) }
}
