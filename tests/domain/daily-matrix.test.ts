import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { closesOf, type DailyMatrix, decodeDailyMatrix, encodeDailyMatrix } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'

const matrix = (values: Partial<DailyMatrix> = {}): DailyMatrix => ({
  source: 'coingecko',
  firstDay: 20_000,
  days: 3,
  ranked: 1,
  coins: ['bitcoin', 'pepe'] as CoinId[],
  prices: Float32Array.of(60_000.5, NaN, 61_000, 0.00001, 0.00002, NaN),
  kinds: new Map(),
  leftOut: new Map(),
  frozenSince: new Map(),
  ...values,
})

test('a matrix of daily closes is read as it was written, missing closes included', () => {
  const written = matrix()
  expect(decodeDailyMatrix(encodeDailyMatrix(written))).toEqual(written)
  expect(closesOf(written, 1)).toEqual(Float32Array.of(0.00001, 0.00002, NaN))
})

test('the wire format of daily closes is little-endian, its header padded to whole words', () => {
  const bytes = new Uint8Array(encodeDailyMatrix(matrix({ days: 1, prices: Float32Array.of(1, 2), source: 'x' })))
  const text = String.fromCharCode(...bytes.subarray(0, -8))
  const length = bytes[4]! + 256 * bytes[5]!
  expect(text.slice(0, 4)).toBe('RTD1')
  expect(length % 4).toBe(0)
  expect(JSON.parse(text.slice(8, 8 + length))).toEqual({
    source: 'x',
    first_day: 20_000,
    days: 1,
    ranked: 1,
    coins: ['bitcoin', 'pepe'],
  })
  // IEEE 754: 1 is 3F 80 00 00, 2 is 40 00 00 00.
  expect([...bytes.subarray(-8)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0x40])
})

test('a matrix of daily closes says what a coin stands for, which closes are left out and since when a coin is frozen', () => {
  const written = matrix({
    kinds: new Map([
      [0, 'wrapped'],
      [1, 'usd'],
    ]),
    leftOut: new Map([[0, [1, 2]]]),
    frozenSince: new Map([[1, 20_001]]),
  })
  expect(decodeDailyMatrix(encodeDailyMatrix(written))).toEqual(written)
})

test('what a later version says of a coin in another way is left unread, and the closes are read', () => {
  const odd = matrix({
    kinds: new Map([[7, 'usd']]),
    leftOut: new Map([
      [0, [3]],
      [2, [0]],
    ]),
    frozenSince: new Map([[0, 'May' as unknown as number]]),
  })
  expect(decodeDailyMatrix(encodeDailyMatrix(odd))).toEqual(matrix())
})

test('a daily close that is not above zero is read as not known', () => {
  const read = decodeDailyMatrix(encodeDailyMatrix(matrix({ prices: Float32Array.of(0, -1, Infinity, 1, 2, 3) })))
  expect(read?.prices).toEqual(Float32Array.of(NaN, NaN, NaN, 1, 2, 3))
})

test('a damaged matrix of daily closes is refused, wherever it is cut or changed', () => {
  const whole = encodeDailyMatrix(matrix())
  for (let length = 0; length < whole.byteLength; length++) {
    expect(decodeDailyMatrix(whole.slice(0, length)), `${length} bytes`).toBeNull()
  }
  const changed = (at: number, byte: number) => {
    const bytes = new Uint8Array(whole.slice(0))
    bytes[at] = byte
    return decodeDailyMatrix(bytes.buffer)
  }
  expect(changed(3, '2'.charCodeAt(0))).toBeNull()
  expect(changed(4, 255)).toBeNull()
  expect(changed(8, '['.charCodeAt(0))).toBeNull()
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decodeDailyMatrix(bytes.slice().buffer) === null))
})

test('a matrix of daily closes that names a coin twice, or more ranked coins than it has, is refused', () => {
  const of = (values: Partial<DailyMatrix>) => decodeDailyMatrix(encodeDailyMatrix(matrix(values)))
  expect(of({ coins: ['bitcoin', 'bitcoin'] as CoinId[] })).toBeNull()
  expect(of({ ranked: 3 })).toBeNull()
  expect(of({ coins: ['bit coin', 'pepe'] as CoinId[] })).toBeNull()
})
