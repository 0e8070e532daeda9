import { closesOf, type DailyMatrix } from './daily-matrix'
import { type CoinColumn, coinColumn, PairMoments } from './pair-moments'
import {
  correlation,
  deviation,
  distanceOf,
  hasStatistics,
  legOfA,
  type PairCloses,
  percentileOf,
  STATISTIC_WINDOWS,
  zScore,
} from './pair-statistics'

/** The figures of all pairs in one window, as columns; NaN: missing (see `WindowStatistics`). */
export interface WindowColumns {
  readonly days: Uint16Array
  readonly z: Float64Array
  readonly percentile: Float64Array
  /** Sample deviation of x over the days. */
  readonly deviation: Float64Array
  /** How far the ratio stands above the average of x, as a fraction of it. */
  readonly distance: Float64Array
  /** Leg of A; that of B is this less ln(1 + distance). */
  readonly legOfA: Float64Array
  readonly correlation: Float64Array
}

/** All pairs of some coins, as columns of equal length. */
export interface PairColumns {
  /** Rows of the matrix: the pair is A / B. B stands before A in the matrix, so that SOL is measured in BTC. */
  readonly a: Uint16Array
  readonly b: Uint16Array
  /** The ratio that the figures are of: NaN: not known. */
  readonly ratio: Float64Array
  /** 1: `ratio` is of current prices of both coins; 0: of the last day's closes. */
  readonly live: Uint8Array
  /** By STATISTIC_WINDOWS. */
  readonly windows: readonly WindowColumns[]
}

const windowColumns = (count: number): WindowColumns => ({
  days: new Uint16Array(count),
  z: new Float64Array(count).fill(NaN),
  percentile: new Float64Array(count).fill(NaN),
  deviation: new Float64Array(count).fill(NaN),
  distance: new Float64Array(count).fill(NaN),
  legOfA: new Float64Array(count).fill(NaN),
  correlation: new Float64Array(count).fill(NaN),
})

/**
 * Statistics of every pair of the matrix. A pair without current prices of both coins ends with the last day's closes, which
 * then are its last point and not among the days before it.
 * @param prices current prices in USD by row; NaN: not known
 * @param last index of the day of the last closes; the days after it are missing
 * @param gapOf days between the last closes and the day of a row's price: a pair's window is the days before its older price
 */
export function pairColumns(
  matrix: DailyMatrix,
  prices: Float64Array,
  last = matrix.days - 1,
  gapOf: (row: number) => number = () => matrix.days - 1 - last,
): PairColumns {
  const coins = matrix.coins.length
  const count = (coins * (coins - 1)) / 2
  const columns: PairColumns = {
    a: new Uint16Array(count),
    b: new Uint16Array(count),
    ratio: new Float64Array(count),
    live: new Uint8Array(count),
    windows: STATISTIC_WINDOWS.map(() => windowColumns(count)),
  }
  const coinColumns = Array.from({ length: coins }, (_, row) => coinColumn(closesOf(matrix, row), prices[row] ?? NaN))
  const moments = new PairMoments(matrix.days, false)
  let pair = 0
  for (let a = 1; a < coins; a++) {
    for (let b = 0; b < a; b++) {
      columns.a[pair] = a
      columns.b[pair] = b
      const late = matrix.days - 1 - last - Math.min(gapOf(a), gapOf(b))
      fillPair(columns, pair++, coinColumns[a]!, coinColumns[b]!, moments, Math.max(0, last), late)
    }
  }
  return columns
}

function fillPair(
  columns: PairColumns,
  pair: number,
  a: CoinColumn,
  b: CoinColumn,
  moments: PairMoments,
  last: number,
  /** Days by which the older price of the pair is before the newest of all. */
  late: number,
): void {
  const now = a.price.length - 1
  const live = a.price[now]! > 0 && b.price[now]! > 0
  moments.begin(a, b, live ? now : last)
  columns.live[pair] = Number(live)
  columns.ratio[pair] = moments.ratio
  for (let index = 0; index < STATISTIC_WINDOWS.length; index++) {
    const window = columns.windows[index]!
    moments.widen(STATISTIC_WINDOWS[index]! + (live ? late : 0))
    window.days[pair] = moments.days.count
    if (!hasStatistics(moments)) continue
    window.z[pair] = zScore(moments)
    window.percentile[pair] = percentileOf(moments)
    window.deviation[pair] = deviation(moments)
    window.distance[pair] = Math.expm1(distanceOf(moments))
    window.legOfA[pair] = legOfA(moments)
    window.correlation[pair] = correlation(moments)
  }
}

/** The closes before the last day, with that day's as the current prices. */
export function endingWithClose({ a, b }: PairCloses): {
  readonly closes: PairCloses
  readonly current: { readonly a: number; readonly b: number }
} {
  const last = a.length - 1
  return {
    closes: { a: Array.from(a).slice(0, last), b: Array.from(b).slice(0, last) },
    current: { a: a[last] ?? NaN, b: b[last] ?? NaN },
  }
}
