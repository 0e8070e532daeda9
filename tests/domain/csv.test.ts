import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvChunks, csvFileName } from '../../src/domain/csv'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { expectRows } from '../support/expect-rows'

type PriceRows = Parameters<typeof csvChunks>[0]
const NOW = Date.UTC(2026, 10, 21, 12, 7, 5, 9)
const rowsOf = (points: readonly (readonly [number, number, number])[]): PriceRows => ({
  times: Float64Array.from(points, ([time]) => time),
  pricesA: Float64Array.from(points, ([, a]) => a),
  pricesB: Float64Array.from(points, ([, , b]) => b),
})
const text = (rows: PriceRows, symbolA = 'btc', symbolB = 'eth'): string =>
  [...csvChunks(rows, symbolA, symbolB)].join('')
const headingOf = (symbol: string): string => {
  const line = text(rowsOf([]), 'btc', symbol)
  return line.slice('Timestamp,BTC Price (USD),'.length, -1)
}

test('the CSV has a heading, ISO times in UTC, and both prices to the last digit', () => {
  const rows = rowsOf([
    [NOW - DAY, 104_000.123, 3_500],
    [NOW, 1e-8, 0.1 + 0.2],
  ])
  expect(text(rows)).toBe(
    'Timestamp,BTC Price (USD),ETH Price (USD)\n' +
      '2026-11-20T12:07:05.009Z,104000.123,3500\n' +
      '2026-11-21T12:07:05.009Z,1e-8,0.30000000000000004\n',
  )
})

test('the CSV leaves the cell of an unknown price empty', () => {
  expect(text(rowsOf([[0, 5, NaN]])).split('\n')[1]).toBe('1970-01-01T00:00:00.000Z,5,')
})

test('the CSV of a year of five-minute prices comes in pieces shorter than 500,000 characters', () => {
  const count = 105_120
  const times = Float64Array.from({ length: count }, (_, i) => NOW + i * 5 * MINUTE)
  const chunks = [...csvChunks({ times, pricesA: times, pricesB: times }, 'a', 'b')]
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(500_000)
  expect(chunks.join('').split('\n')).toHaveLength(count + 2)
})

test('every time and price can be read back exactly from the CSV', () => {
  const time = fc.integer({ min: 0, max: 4e12 })
  const price = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(time, price, price), { maxLength: 20 }), (points) => {
      const lines = text(rowsOf(points)).trimEnd().split('\n').slice(1)
      const read = lines.map((line) => {
        const [at, a, b] = line.split(',')
        expect(new Date(at!).toISOString()).toBe(at)
        return [Date.parse(at!), Number(a), Number(b)]
      })
      expect(read).toEqual(points)
    }),
  )
})

test('a symbol in the CSV heading is no formula, and makes no additional cell or row', () =>
  expectRows(headingOf, [
    ['=1+1', `"'=1+1 Price (USD)"`],
    ['+1', `"'+1 Price (USD)"`],
    ['-1', `"'-1 Price (USD)"`],
    ['@sum', `"'@SUM Price (USD)"`],
    ['\tx', `"'\tX Price (USD)"`],
    ['\rx', `"'\rX Price (USD)"`],
    [' =x', `"' =X Price (USD)"`],
    ['＝1', `"'＝1 Price (USD)"`],
    ['a,b', '"A,B Price (USD)"'],
    ['a"b', '"A""B Price (USD)"'],
    ['a\nb', '"A\nB Price (USD)"'],
    ['$b-=', '$B-= Price (USD)'],
  ]))

test('the CSV file of a pair is named by its symbols, without characters that a file system refuses', () =>
  expectRows(csvFileName, [
    ['BTC', 'ETH', 'btc_eth_historical.csv'],
    ['$WIF', 'A/B', '$wif_ab_historical.csv'],
    ['../X', 'a\\b:c*?"<>|', 'x_abc_historical.csv'],
    ['A\u202E B', 'C\u0000\n', 'ab_c_historical.csv'],
    ['ß', '币安', 'ß_币安_historical.csv'],
  ]))
