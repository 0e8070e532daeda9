import { readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endingWithClose, pairColumns } from '../../src/domain/pair-columns'
import { pairStatistics, STATISTIC_WINDOWS, type WindowStatistics } from '../../src/domain/pair-statistics'
import { halfLifeOf, verdictOf } from '../../src/domain/reversion'
import { quantile, standingOf } from '../../src/domain/standing'
import { closesOf } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'
import { randomOf } from '../../src/domain/random'
import { normalOf } from './support/random'
import { slowStatistics } from './support/slow-pair-statistics'
import { realCloses, realPricesFolder, realSeries, warnWithoutRealPrices } from './support/real-prices'

type Figure = 'mean' | 'deviation' | 'z' | 'percentile' | 'legOfA' | 'legOfB' | 'halfLife' | 'adf' | 'correlation'
const TOLERANCE: Readonly<Record<Figure, number>> = {
  mean: 1e-9,
  deviation: 1e-9,
  z: 1e-9,
  percentile: 0,
  legOfA: 1e-12,
  legOfB: 1e-12,
  halfLife: 1e-9,
  adf: 1e-8,
  correlation: 1e-9,
}

type Found = Omit<WindowStatistics, 'window' | 'verdict'>
const figureOf = (found: Found, figure: Figure): number | null =>
  figure === 'legOfA' || figure === 'legOfB' ? (found.legs?.[figure === 'legOfA' ? 'a' : 'b'] ?? null) : found[figure]

/** Holds both ways of computing a pair together; the last price of each column is the current one. */
function expectAgreement(a: readonly number[], b: readonly number[]): void {
  const closes = { a: a.slice(0, -1), b: b.slice(0, -1) }
  for (const found of pairStatistics(closes, { a: a.at(-1)!, b: b.at(-1)! })) {
    const slow = slowStatistics(a, b, found.window)
    expect(found.days).toBe(slow.days)
    for (const [figure, tolerance] of Object.entries(TOLERANCE) as [Figure, number][]) {
      const [ours, theirs] = [figureOf(found, figure), figureOf(slow, figure)]
      const message = `${figure} of ${found.window} days: ${ours}, slowly ${theirs}`
      if (theirs === null || ours === null) expect(ours, message).toBe(theirs)
      // A figure near zero is a difference of larger ones.
      else expect(Math.abs(ours - theirs), message).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(theirs)))
    }
  }
}

/** A year of a coin, as the matrix holds it. */
function course(seed: number, move: number, length = 366): number[] {
  const normal = normalOf(randomOf(seed))
  let log = Math.log(100)
  return Array.from({ length }, () => Math.fround(Math.exp((log += move * normal()))))
}

const KINDS: Readonly<Record<string, readonly [number[], number[]]>> = {
  'two coins that wander': [course(1, 0.04), course(2, 0.03)],
  'a peg that moves by a hundred-thousandth': [course(3, 0.00001), course(4, 0.00001)],
  'a wrapped coin': [
    course(5, 0.03),
    course(5, 0.03).map((price, day) => Math.fround(price * (1 + 1e-6 * ((day * 7) % 11)))),
  ],
  'a coin against one that never moves': [course(6, 0.02), course(6, 0)],
  'a coin after a bad tick of ten thousand times': [
    course(7, 0.01).map((price, day) => (day === 340 ? price * 10_000 : price)),
    course(8, 0.01),
  ],
  'a young coin': [course(9, 0.02).map((price, day) => (day < 290 ? NaN : price)), course(10, 0.02)],
  'coins with missing days': [
    course(11, 0.02).map((price, day) => (day % 9 === 4 ? NaN : price)),
    course(12, 0.02).map((price, day) => (day % 31 === 30 ? NaN : price)),
  ],
  'a pair without current prices': [[...course(13, 0.02, 365), NaN], course(14, 0.02)],
}

test.each(Object.entries(KINDS))('%s: fast and exact statistics agree in every window', (_, [a, b]) => {
  expectAgreement(a, b)
  expectAgreement(b, a)
})

test('fast and exact statistics agree for ties, gaps and any number of days', () => {
  const price = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 50, max: 60 }) }, fc.constant(NaN))
  const column = fc.array(fc.tuple(price, price), { minLength: 1, maxLength: 400, size: 'max' })
  fc.assert(
    fc.property(column, (list) => {
      expectAgreement(
        list.map(([a]) => a),
        list.map(([, b]) => b),
      )
    }),
    { numRuns: 30 },
  )
})

test('a pair turned round has the opposite z, the mirrored percentile, the coins’ legs exchanged, and the same half-life, test and correlation', () => {
  for (const [a, b] of Object.values(KINDS)) {
    const current = { a: a.at(-1)!, b: b.at(-1)! }
    const one = pairStatistics({ a: a.slice(0, -1), b: b.slice(0, -1) }, current)
    const turned = pairStatistics({ a: b.slice(0, -1), b: a.slice(0, -1) }, { a: current.b, b: current.a })
    for (const [index, found] of one.entries()) {
      const other = turned[index]!
      expect(other.verdict).toBe(found.verdict)
      expect(other.z === null).toBe(found.z === null)
      if (found.z !== null) expect(other.z).toBeCloseTo(-found.z, 8)
      if (found.percentile !== null) expect(other.percentile).toBeCloseTo(1 - found.percentile, 12)
      if (found.legs !== null) {
        expect(other.legs!.b).toBeCloseTo(found.legs.a, 12)
        expect(other.legs!.a).toBeCloseTo(found.legs.b, 12)
      }
      expect(other.halfLife === null).toBe(found.halfLife === null)
      if (found.halfLife !== null) expect(other.halfLife! / found.halfLife).toBeCloseTo(1, 8)
      if (found.adf !== null) expect(other.adf).toBeCloseTo(found.adf, 7)
      if (found.correlation !== null) expect(other.correlation).toBeCloseTo(found.correlation, 9)
    }
  }
})

test('a ratio that never moves has a mean and a percentile of a half, and no z, half-life, verdict or correlation', () => {
  const [found] = pairStatistics({ a: Array(90).fill(6), b: Array(90).fill(2) }, { a: 6, b: 2 })
  expect(found).toMatchObject({ mean: Math.log(3), deviation: 0, percentile: 0.5 })
  expect(found).toMatchObject({ z: null, halfLife: null, adf: null, verdict: null, correlation: null })
})

test('columns say of each pair the same as its own statistics and standing, live or of the last closes', () => {
  const all = Object.values(KINDS).flat()
  const days = 365
  const matrix = {
    source: 'test',
    firstDay: 20_000,
    days,
    ranked: all.length,
    coins: all.map((_, index) => `coin-${index}` as CoinId),
    prices: Float32Array.from(all.flatMap((list) => list.slice(0, days))),
  }
  const now = Float64Array.from(all, (list, index) => (index % 5 === 3 ? NaN : list.at(-1)!))
  const columns = pairColumns(matrix, now)
  expect(columns.a).toHaveLength((all.length * (all.length - 1)) / 2)
  for (const [pair, a] of columns.a.entries()) {
    const b = columns.b[pair]!
    const whole = { a: closesOf(matrix, a), b: closesOf(matrix, b) }
    const live = now[a]! > 0 && now[b]! > 0
    expect(columns.live[pair]).toBe(Number(live))
    const { closes, current } = live ? { closes: whole, current: { a: now[a]!, b: now[b]! } } : endingWithClose(whole)
    expect(columns.ratio[pair]).toBe(current.a / current.b)
    for (const [index, found] of pairStatistics(closes, current).entries()) {
      const window = columns.windows[index]!
      expect(window.days[pair]).toBe(found.days)
      if (found.legs === null) expect(window.legOfA[pair]).toBeNaN()
      else {
        expect(window.legOfA[pair]).toBeCloseTo(found.legs.a, 12)
        expect(Math.log1p(window.distance[pair]!)).toBeCloseTo(found.legs.a - found.legs.b, 12)
      }
      for (const figure of ['z', 'deviation', 'correlation'] as const) {
        if (found[figure] === null) expect(window[figure][pair]).toBeNaN()
        else expect(window[figure][pair]).toBeCloseTo(found[figure], 9)
      }
      expect(window.percentile[pair]).toBe(found.percentile ?? NaN)
      const standing = STATISTIC_WINDOWS[index] === 90 ? standingOf(closes, current.a / current.b) : null
      if (standing === null) continue
      expect(standing.days).toBe(found.days)
      expect(standing.percentile).toBe(found.percentile)
      if (found.deviation! > 1e-4) expect(standing.z).toBeCloseTo(found.z!, 8)
    }
  }
})

test('the standing of a ratio that never moved has no z, whatever the ratio', () => {
  for (const price of [3.1, 0.7, 94_006.78]) {
    const closes = { a: Array<number>(365).fill(price), b: Array<number>(365).fill(1) }
    expect(standingOf(closes, price)).toMatchObject({ percentile: 0.5, z: null })
  }
})

// The examples of Microsoft's PERCENTILE.INC and of numpy.percentile.
test('quantiles are those that spreadsheets and numpy document', () => {
  expect(quantile(Float64Array.of(1, 2, 3, 4), 0.3)).toBeCloseTo(1.9, 12)
  expect(quantile(Float64Array.of(1, 2, 3, 4, 7, 10), 0.5)).toBe(3.5)
})

// MacKinnon (2010), as statsmodels prints it for 201 observations with an intercept: −2.883 at 5 %.
test('the verdict changes at MacKinnon’s critical value of 5 %', () => {
  expect(verdictOf(-2.877, 201)).toBe('swung')
  expect(verdictOf(-2.875, 201)).toBe('not told from wandering')
  expect(verdictOf(-2.8616, 1e9)).toBe('swung')
  expect(verdictOf(-2.8615, 1e9)).toBe('not told from wandering')
})

test('the half-life is corrected for the short series it is found in, and there is none where the correction finds no return', () => {
  expect(halfLifeOf(0.9, 89)).toBeCloseTo(11.8155, 4)
  expect(halfLifeOf(0.93, 89)).toBeCloseTo(26.383, 3)
  expect(halfLifeOf(0.95, 89)).toBeCloseTo(132.12, 2)
  for (const found of [0.96, 1, -0.5, NaN]) expect(halfLifeOf(found, 89)).toBeNaN()
})

warnWithoutRealPrices()
describe.skipIf(realPricesFolder === undefined)('statistics of real prices', () => {
  const yearOf = (coin: string) => {
    const prices = Array.from(realSeries(coin, '1d').prices.slice(-366), Math.fround)
    return [...Array<number>(366 - prices.length).fill(NaN), ...prices]
  }

  test('fast and exact statistics agree for all pairs of the real coins, in every window', () => {
    const files = readdirSync(realPricesFolder!).filter((file) => file.endsWith('.1d.csv'))
    const columns = files.map((file) => yearOf(file.replace('.1d.csv', '')))
    for (const [index, a] of columns.entries()) for (const b of columns.slice(0, index)) expectAgreement(a, b)
  })

  // Every tenth day from the 366th on, as the measurement of which the guide "Extremes" tells.
  test('pairs that swung in 90 days swing in the next 90 as often as those that did not', () => {
    const closes = realCloses()
    const days = closes[0]!.length
    const swung = new Map<string, boolean>()
    let narrowest = Infinity
    for (const [one, a] of closes.entries()) {
      for (const [other, b] of closes.slice(0, one).entries()) {
        for (let day = 365; day < days; day += 10) {
          const before = (column: readonly number[]) => column.slice(day - 365, day)
          const found = pairStatistics({ a: before(a), b: before(b) }, { a: a[day]!, b: b[day]! })[1]!
          if (found.z === null || found.verdict === null) continue
          swung.set(`${one} ${other} ${day}`, found.verdict === 'swung')
          narrowest = Math.min(narrowest, found.deviation!)
        }
      }
    }
    const again = { swung: [0, 0], others: [0, 0] }
    for (const [key, did] of swung) {
      const [one, other, day] = key.split(' ')
      const later = swung.get(`${one} ${other} ${Number(day) + 90}`)
      if (later === undefined) continue
      const counts = again[did ? 'swung' : 'others']
      counts[1]!++
      if (later) counts[0]!++
    }
    expect(swung.size).toBe(24_575)
    expect(Math.abs([...swung.values()].filter(Boolean).length / swung.size - 0.0656)).toBeLessThanOrEqual(0.0005)
    // None of them is pegged (PEG_WIDTH).
    expect(narrowest).toBeCloseTo(0.0226, 4)
    expect(again).toEqual({ swung: [79, 1344], others: [1290, 19_577] })
  })

  test('ETH / BTC of 22 October 2025 stood low as ETH fell more than BTC, and ZEC / BTC high by ZEC’s rise alone', () => {
    const legsOf = (coin: string) => {
      const [a, b] = [yearOf(coin), yearOf('bitcoin')]
      return pairStatistics({ a: a.slice(0, -1), b: b.slice(0, -1) }, { a: a.at(-1)!, b: b.at(-1)! })[1]!.legs!
    }
    const [eth, zec] = [legsOf('ethereum'), legsOf('zcash')]
    expect([eth.a, eth.b, eth.a - eth.b].map((leg) => leg.toFixed(4))).toEqual(['-0.1099', '-0.0650', '-0.0449'])
    expect([zec.a, zec.b, zec.a - zec.b].map((leg) => leg.toFixed(4))).toEqual(['1.3041', '-0.0650', '1.3691'])
  })

  // A spreadsheet's AVERAGE, STDEV.S and mean rank of ln(A / B) in the CSV files.
  test('PEPE / BTC of 22 October 2025 has the z and the percentile that a spreadsheet finds', () => {
    const [a, b] = [yearOf('pepe'), yearOf('bitcoin')]
    const closes = { a: a.slice(0, -1), b: b.slice(0, -1) }
    const found = pairStatistics(closes, { a: a.at(-1)!, b: b.at(-1)! })
    const sheet = [
      [-1.42256, 2 / 30],
      [-2.414777, 2 / 90],
      [-2.572221, 2 / 180],
      [-1.768214, 2 / 365],
    ] as const
    for (const [index, [z, percentile]] of sheet.entries()) {
      // The matrix holds prices of 24 binary digits.
      expect(found[index]!.z).toBeCloseTo(z, 5)
      expect(found[index]!.percentile).toBeCloseTo(percentile, 12)
    }
  })
})
