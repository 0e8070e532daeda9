import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { closesOf, type DailyMatrix } from '../../src/domain/daily-matrix'
import { DAY } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { pairStatistics } from '../../src/domain/pair-statistics'
import { leaveOutWrongCloses } from '../../src/domain/wrong-closes'
import { randomOf } from '../../src/domain/random'
import { normalOf } from './support/random'
import { realPricesFolder, realSeries, warnWithoutRealPrices } from './support/real-prices'

warnWithoutRealPrices()

const FIRST_DAY = 20_000

/** Twelve coins that wander for 100 days, and their prices at the present. */
function market(change: (closes: Float32Array[], present: Float64Array) => void): readonly [DailyMatrix, Float64Array] {
  const days = 100
  const courses = Array.from({ length: 12 }, (_, coin) => {
    const normal = normalOf(randomOf(coin + 1))
    let log = 5
    return Float32Array.from({ length: days + 1 }, () => Math.exp((log += 0.03 * normal())))
  })
  const present = Float64Array.from(courses, (course) => course[days]!)
  const closes = courses.map((course) => course.slice(0, days))
  change(closes, present)
  const prices = new Float32Array(12 * days)
  for (const [row, its] of closes.entries()) prices.set(its, row * days)
  const coins = closes.map((_, row) => `coin-${row}` as CoinId)
  return [{ source: 'coingecko', firstDay: FIRST_DAY, days, ranked: 12, coins, prices }, present]
}

const judged = (change: Parameters<typeof market>[0]) => leaveOutWrongCloses(...market(change))

test('a close that the next day takes back is left out, and its neighbours and the other coins are not', () => {
  const found = judged(([, , close]) => {
    close![50]! *= 10
  })
  expect(found.leftOut).toEqual(new Map([[2, [50]]]))
  expect([...closesOf(found, 2).subarray(49, 52)].map(Number.isFinite)).toEqual([true, false, true])
  expect([found.prices.filter(Number.isNaN).length, found.isDoubtful]).toEqual([1, false])
})

test('a jump that stays, and a crash of the whole market that the next day takes back, are real', () => {
  const found = judged((closes) => {
    for (let day = 50; day < 100; day++) closes[2]![day]! *= 10
    for (const course of closes) course[30]! *= 0.6
  })
  expect(found.leftOut).toEqual(new Map())
  expect(found.prices.some(Number.isNaN)).toBe(false)
})

test('the newest close is left out where the present price does not confirm it, and is in doubt where it does', () => {
  const spike = ([, , course]: Float32Array[]) => {
    course![99]! *= 0.5
  }
  const alone = judged(spike)
  expect([alone.leftOut, alone.isDoubtful]).toEqual([new Map([[2, [99]]]), true])
  const confirmed = judged((closes, present) => {
    spike(closes)
    present[2]! *= 0.5
  })
  expect([confirmed.leftOut, confirmed.isDoubtful]).toEqual([new Map(), true])
  const unknown = judged((closes, present) => {
    spike(closes)
    present[2] = NaN
  })
  expect(unknown.leftOut).toEqual(new Map())
})

test('of four equal closes in a row the first is a close, of three all are, and of a coin at one dollar any number', () => {
  const found = judged((closes) => {
    closes[0]!.fill(closes[0]![40]!, 40, 43)
    closes[1]!.fill(closes[1]![40]!, 40, 44)
    closes[2]!.fill(1.004, 40, 60)
  })
  const missing = (row: number) =>
    [...closesOf(found, row).keys()].filter((day) => Number.isNaN(closesOf(found, row)[day]))
  expect([missing(0), missing(1), missing(2)]).toEqual([[], [41, 42, 43], []])
  expect([found.frozenSince, found.leftOut]).toEqual([new Map(), new Map()])
})

test('a coin that stands still until the newest close is frozen since its first equal one', () => {
  const found = judged((closes) => {
    closes[4]!.fill(closes[4]![70]!, 70)
  })
  expect(found.frozenSince).toEqual(new Map([[4, FIRST_DAY + 70]]))
  expect(closesOf(found, 4).subarray(71).every(Number.isNaN)).toBe(true)
})

test('where too few coins make a market, no close is called wrong', () => {
  const [matrix, present] = market(([, , course]) => {
    course![50]! *= 10
  })
  const few = { ...matrix, ranked: 9, coins: matrix.coins.slice(0, 9), prices: matrix.prices.slice(0, 900) }
  expect(leaveOutWrongCloses(few, present.slice(0, 9)).leftOut).toEqual(new Map())
})

describe.skipIf(realPricesFolder === undefined)('on the real closes of 29 coins', () => {
  const names = () =>
    readdirSync(realPricesFolder!).flatMap((file) =>
      file.endsWith('.1d.csv') ? [file.slice(0, -'.1d.csv'.length)] : [],
    )

  /** All closes, of which the last is the present price as well. */
  function realMatrix(change: (closes: (coin: string) => Float32Array) => void): DailyMatrix {
    const coins = names() as CoinId[]
    const series = coins.map((coin) => realSeries(coin, '1d'))
    const dayOf = (time: number) => Math.round(time / DAY)
    const firstDay = Math.min(...series.map(({ times }) => dayOf(times[0]!)))
    const days = Math.max(...series.map(({ times }) => dayOf(times.at(-1)!))) - firstDay + 1
    const prices = new Float32Array(coins.length * days).fill(NaN)
    for (const [row, its] of series.entries()) {
      for (const [index, time] of its.times.entries()) prices[row * days + dayOf(time) - firstDay] = its.prices[index]!
    }
    const matrix = { source: 'coingecko', firstDay, days, ranked: coins.length, coins, prices }
    change((coin) => closesOf(matrix, coins.indexOf(coin as CoinId)))
    return matrix
  }

  const judge = (matrix: DailyMatrix) =>
    leaveOutWrongCloses(
      matrix,
      Float64Array.from(matrix.coins, (_, row) => closesOf(matrix, row).at(-1)!),
    )

  const flags = ({ leftOut, coins, firstDay }: DailyMatrix) =>
    [...leftOut!].flatMap(([row, columns]) =>
      columns.map((column) => `${coins[row]} ${new Date((firstDay + column) * DAY).toISOString().slice(0, 10)}`),
    )

  /** z of ETH / BTC over 90 days, the last close being the current price. */
  function zOf(matrix: DailyMatrix): number {
    const [a, b] = (['ethereum', 'bitcoin'] as CoinId[]).map((coin) => closesOf(matrix, matrix.coins.indexOf(coin)))
    const closes = { a: [...a!.subarray(-366, -1)], b: [...b!.subarray(-366, -1)] }
    return pairStatistics(closes, { a: a!.at(-1)!, b: b!.at(-1)! }).find(({ window }) => window === 90)!.z!
  }

  const REAL_FLAGS = ['cardano 2025-03-04', 'sei-network 2023-09-17', 'worldcoin-wld 2025-07-23']

  test('three closes in 27,000 look wrong, and no coin is frozen', () => {
    const found = judge(realMatrix(() => undefined))
    expect(flags(found)).toEqual(REAL_FLAGS)
    expect(found.frozenSince).toEqual(new Map())
    expect(zOf(found)).toBeCloseTo(-0.5684, 4)
  })

  test('a close of ETH half too high is found alone, and z of ETH / BTC is that of the other 89 days', () => {
    const spoilt = realMatrix((closes) => {
      closes('ethereum')[closes('ethereum').length - 46]! *= 1.5
    })
    expect(zOf(spoilt)).toBeCloseTo(-0.5342, 4)
    const found = judge(spoilt)
    expect(flags(found).filter((flag) => !REAL_FLAGS.includes(flag))).toEqual([
      expect.stringMatching(/^ethereum 2025-09-/),
    ])
    expect(zOf(found)).toBeCloseTo(-0.5591, 4)
  })

  test('CRV that stood still for its last 30 days is frozen since the first of them', () => {
    const found = judge(
      realMatrix((closes) => {
        const curve = closes('curve-dao-token')
        curve.fill(curve.at(-30)!, -30)
      }),
    )
    const since = found.firstDay + found.days - 30
    expect(found.frozenSince).toEqual(new Map([[found.coins.indexOf('curve-dao-token' as CoinId), since]]))
  })
})
