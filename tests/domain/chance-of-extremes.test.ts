import { expect, it } from 'vitest'
import { type ChanceQuestion, chanceOf, shuffledCounts } from '../../src/domain/chance-of-extremes'
import type { DailyMatrix } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'
import { endingWithClose } from '../../src/domain/pair-columns'
import { pairCloses } from '../../src/domain/pair-statistics'
import { standingOf } from '../../src/domain/standing'
import { randomOf } from '../../src/domain/random'
import { normalOf } from './support/random'

const DAYS = 365

/** A matrix of coins, each a year of daily closes; NaN: not known. */
const matrixOf = (coins: readonly (readonly number[])[], firstDay = 20_000): DailyMatrix => ({
  source: 'made-up',
  firstDay,
  days: DAYS,
  ranked: coins.length,
  coins: coins.map((_, row) => `coin-${row}` as CoinId),
  prices: Float32Array.from(coins.flat()),
})

/** Coins that wander without any order, by steps of 4 % a day. */
function wanderers(seed: number, coins: number): number[][] {
  const normal = normalOf(randomOf(seed))
  return Array.from({ length: coins }, () => {
    let log = 0
    return Array.from({ length: DAYS }, () => Math.exp((log += 0.04 * normal())))
  })
}

/** So many different pairs of the coins of a matrix. */
function somePairs(coins: number, count: number): Pick<ChanceQuestion, 'a' | 'b'> {
  const all = Array.from({ length: coins }, (_, a) => Array.from({ length: a }, (_, b) => [a, b] as const)).flat()
  const pairs = all.slice(0, count)
  return { a: pairs.map(([a]) => a), b: pairs.map(([, b]) => b) }
}

const counts = (matrix: DailyMatrix, question: ChanceQuestion) => [...shuffledCounts(matrix, question)]

/** Pairs at an extreme at the matrix's last closes. */
const atExtreme = (matrix: DailyMatrix, { a, b }: Pick<ChanceQuestion, 'a' | 'b'>): number =>
  Array.from(a).filter((rowA, i) => {
    const { closes, current } = endingWithClose(pairCloses(matrix, matrix.coins[rowA]!, matrix.coins[b[i]!]!)!)
    return standingOf(closes, current.a / current.b)?.extreme != null
  }).length

it('on 200 boards of 20 pairs of coins that wander, at most 10 have more pairs at an extreme than chance puts there', () => {
  const pairs = somePairs(8, 20)
  const more = Array.from({ length: 200 }, (_, board) => matrixOf(wanderers(board + 1, 8))).filter(
    (matrix) => atExtreme(matrix, pairs) > chanceOf(counts(matrix, { ...pairs, window: 90, line: 'extreme' })).high,
  )
  expect(more.length).toBeLessThanOrEqual(10)
})

it('of pairs that wander, shuffled days put a sixth beyond two deviations of 90 days', () => {
  const pairs = somePairs(30, 435)
  const { median, low, high } = chanceOf(
    counts(matrixOf(wanderers(7, 30)), { ...pairs, window: 90, line: 'deviations' }),
  )
  expect(median / 435).toBeCloseTo(0.16, 1)
  expect(low).toBeLessThan(median)
  expect(high).toBeGreaterThan(median)
})

it('shuffled days stay whole: two coins that move together never part', () => {
  const [one] = wanderers(3, 1)
  const matrix = matrixOf([one!, one!.map((price) => 2 * price)])
  expect(Math.max(...counts(matrix, { a: [1], b: [0], window: 90, line: 'deviations' }))).toBe(0)
})

it('a return across a missing close is missing in every order of the days', () => {
  const still = Array.from({ length: DAYS }, () => 1)
  const jumps = still.map((price, day) => (day === 200 ? NaN : day > 200 ? 1000 * price : price))
  const question = { a: [1], b: [0], window: 90, line: 'deviations' } as const
  expect(Math.max(...counts(matrixOf([still, jumps]), question))).toBe(0)
  const known = jumps.map((price) => (Number.isNaN(price) ? 1 : price))
  expect(Math.max(...counts(matrixOf([still, known]), question))).toBe(1)
})

it('a pair with 60 common days counts like one with all of them, with 59 never', () => {
  const young = (days: number) => {
    const coins = wanderers(11, 12)
    return matrixOf(
      coins.map((closes, row) => closes.map((close, day) => (row > 0 && day < DAYS - days ? NaN : close))),
    )
  }
  const question = { a: Array.from({ length: 11 }, (_, i) => i + 1), b: Array(11).fill(0), window: 30 } as const
  const share = (days: number) =>
    counts(young(days), { ...question, line: 'deviations' }).reduce((sum, count) => sum + count, 0) / 11 / 199
  expect(share(60)).toBeCloseTo(share(DAYS), 1)
  expect(share(59)).toBe(0)
})

it('shuffled days give the same counts all day, and others on the next', () => {
  const coins = wanderers(5, 6)
  const question = { ...somePairs(6, 15), window: 90, line: 'extreme' } as const
  const found = counts(matrixOf(coins), question)
  expect(counts(matrixOf(coins), question)).toEqual(found)
  expect(counts(matrixOf(coins, 20_001), question)).not.toEqual(found)
})

it('the bounds of 199 counts are the tenth from either end', () => {
  expect(chanceOf(Array.from({ length: 199 }, (_, i) => 199 - i))).toEqual({ median: 100, low: 10, high: 190 })
})
