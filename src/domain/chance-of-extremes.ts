import { closesOf, type DailyMatrix } from './daily-matrix'
import { extremeOf } from './extreme'
import { isPegged } from './peg'
import { MIN_COMMON_DAYS, MIN_WINDOW_DAYS, type StatisticWindow } from './pair-statistics'
import { randomOf } from './random'

/*
 * How many of some pairs stand beyond a line by chance: a permutation test over the days. The days' log returns of all coins
 * are put in another order together, so that pairs move together as they do, and each pair's path is built again from them.
 */

/** Pairs of a matrix, and the line beyond which they are counted. */
export interface ChanceQuestion {
  /** Rows of the matrix: pair i is a[i] / b[i]. */
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
  readonly window: StatisticWindow
  /** More than two sample deviations from the mean, or an extreme as `extremeOf` has it. */
  readonly line: 'deviations' | 'extreme'
}

/** Of the pairs that stand beyond the line in shuffled orders of the same days. */
export interface ChanceCount {
  readonly median: number
  /** Counts that 5 % of the orders fall below and 5 % go above, at most. */
  readonly low: number
  readonly high: number
}

/** Orders of the days: with one less than 200, at most 5 % of boards without any order go above `high`. */
const SHUFFLES = 199

/** The line of `deviations`. */
export const FAR_DEVIATIONS = 2

/** Rows of a pair, and how many days of its window are known. */
interface ChancePair {
  readonly a: number
  readonly b: number
  readonly days: number
}

/**
 * The number of pairs beyond the line, once for each order; an order takes a few milliseconds for thousands of pairs. The
 * last day of the matrix is the seed, so that the figure of a day stays. Current prices are no part of it.
 *
 * A return across a missing close is missing and moves with its day; a pair's path passes it over and has as many days in
 * its window as the pair has in truth. A pair with too few days for figures is never counted.
 */
export function* shuffledCounts(matrix: DailyMatrix, question: ChanceQuestion): Generator<number, void> {
  const returns = returnsOf(matrix)
  const pairs = pairsOf(matrix, question)
  const order = Uint16Array.from({ length: matrix.days - 1 }, (_, day) => day)
  const random = randomOf(matrix.firstDay + matrix.days)
  for (let i = 0; i < SHUFFLES; i++) {
    shuffle(order, random)
    let count = 0
    for (const pair of pairs) if (isBeyond(returns, order, pair, question.line)) count++
    yield count
  }
}

/** The counts' middle, and the bounds of a one-sided test at 5 % on either side (Davison and Hinkley 1997, 4.2.5). */
export function chanceOf(counts: readonly number[]): ChanceCount {
  const sorted = counts.toSorted((one, other) => one - other)
  const rank = (share: number): number => sorted[Math.round(share * (sorted.length + 1)) - 1]!
  return { median: rank(0.5), low: rank(0.05), high: rank(0.95) }
}

/** Daily log returns of each coin, NaN across a day that is not known. */
const returnsOf = (matrix: DailyMatrix): readonly Float64Array[] =>
  matrix.coins.map((_, row) => {
    const closes = closesOf(matrix, row)
    return Float64Array.from({ length: matrix.days - 1 }, (_, day) => Math.log(closes[day + 1]! / closes[day]!))
  })

/** The pairs that have figures. */
function pairsOf(matrix: DailyMatrix, { a, b, window }: ChanceQuestion): readonly ChancePair[] {
  const last = matrix.days - 1
  const closes = matrix.coins.map((_, row) => closesOf(matrix, row))
  return Array.from(a, (rowA, index): ChancePair => {
    const rowB = b[index]!
    const [closesA, closesB] = [closes[rowA]!, closes[rowB]!]
    let common = 0
    let days = 0
    for (let day = 0; day <= last; day++) {
      if (Number.isNaN(closesA[day]! + closesB[day]!)) continue
      common++
      if (day >= last - window && day < last) days++
    }
    return { a: rowA, b: rowB, days: common < MIN_COMMON_DAYS ? 0 : days }
  }).filter(({ days }) => days >= MIN_WINDOW_DAYS)
}

/** Walks the path of a pair from its end, of which x is 0, backwards through the days in this order. */
function isBeyond(
  returns: readonly Float64Array[],
  order: Uint16Array,
  pair: ChancePair,
  line: ChanceQuestion['line'],
): boolean {
  const [a, b] = [returns[pair.a]!, returns[pair.b]!]
  let known = 0
  let x = 0
  let sum = 0
  let squares = 0
  let below = 0
  for (let i = 0; i < order.length && known < pair.days; i++) {
    const day = order[i]!
    const step = a[day]! - b[day]!
    if (Number.isNaN(step)) continue
    known++
    x -= step
    sum += x
    squares += x * x
    below += x < 0 ? 1 : x === 0 ? 0.5 : 0
  }
  if (known < MIN_WINDOW_DAYS) return false
  const mean = sum / known
  const deviation = Math.sqrt(Math.max(0, squares - sum * mean) / (known - 1))
  if (line === 'deviations') return deviation > 0 && Math.abs(mean) > FAR_DEVIATIONS * deviation
  return extremeOf({ percentile: below / known, distance: Math.expm1(-mean), isPegged: isPegged(deviation) }) !== null
}

/** Fisher and Yates, as Durstenfeld (1964) has it. */
function shuffle(order: Uint16Array, random: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const kept = order[last]!
    order[last] = order[other]!
    order[other] = kept
  }
}
