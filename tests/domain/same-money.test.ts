import { expect, test } from 'vitest'
import type { CoinKind } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'
import { pairColumns } from '../../src/domain/pair-columns'
import { isWithinCost } from '../../src/domain/peg'
import { sameMoney } from '../../src/domain/same-money'
import { randomOf } from '../../src/domain/random'
import { normalOf } from './support/random'

const DAYS = 365
type Course = (day: number) => number

/** By coin: the first coin of its money. */
function moneyOf(courses: readonly Course[], kinds: readonly (CoinKind | null)[] = []): number[] {
  const prices = Float32Array.from(courses.flatMap((course) => Array.from({ length: DAYS }, (_, day) => course(day))))
  const coins = courses.map((_, index) => `coin-${index}` as CoinId)
  const matrix = { source: 'test', firstDay: 20_000, days: DAYS, ranked: coins.length, coins, prices }
  const byRow = new Map(kinds.flatMap((kind, row) => (kind === null ? [] : [[row, kind] as const])))
  return [...sameMoney(pairColumns(matrix, new Float64Array(coins.length).fill(NaN)), coins.length, byRow)]
}

const normal = normalOf(randomOf(3))
const walk = Array.from({ length: DAYS }, () => 0.03 * normal())
for (let day = 1; day < DAYS; day++) walk[day]! += walk[day - 1]!
const btc: Course = (day) => Math.exp(walk[day]!)

test('coins whose pair is pegged for a year are one money, that of the best of them', () => {
  const wrapped: Course = (day) => btc(day) * (1 + 0.001 * Math.sin(day))
  expect(moneyOf([() => 1, btc, wrapped, (day) => 1 + 0.0005 * Math.cos(day)])).toEqual([0, 1, 1, 0])
})

test('a chain of coins is one money only as far as each is pegged to all before it', () => {
  const about =
    (width: number): Course =>
    (day) =>
      1 + width * Math.sin(day)
  // 0.012 apart is a deviation of 0.0085, 0.024 one of 0.017.
  expect(moneyOf([about(-0.012), about(0), about(0.012)])).toEqual([0, 0, 2])
})

test('a staked coin that drifts by its rewards is the money of its coin where the provider calls it wrapped', () => {
  const staked: Course = (day) => btc(day) * Math.exp((0.06 * day) / DAYS)
  expect(moneyOf([btc, staked])).toEqual([0, 1])
  expect(moneyOf([btc, staked], [null, 'wrapped'])).toEqual([0, 0])
})

test('a dollar by the provider’s word is the same money without a past, and one that has lost its peg is not', () => {
  const young: Course = (day) => (day < 355 ? NaN : 1.001)
  const lost: Course = (day) => (day < 364 ? 1 : 0.97)
  const regained: Course = (day) => (day < 300 ? 0.8 : 1)
  const coins = [() => 1, young, lost, regained]
  expect(moneyOf(coins)).toEqual([0, 1, 2, 3])
  expect(moneyOf(coins, ['usd', 'usd', 'usd', 'usd'])).toEqual([0, 0, 2, 0])
})

// −2·ln(1 − 0.003) = 0.0060090.
test('a distance of 0.60 %, the cost of a swap there and back, is within the cost on either side, and one of 0.61 % is not', () => {
  expect([0.006, -0.0059, 0].every(isWithinCost)).toBe(true)
  expect([0.0061, -0.0061, NaN].some(isWithinCost)).toBe(false)
})
