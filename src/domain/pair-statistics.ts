import type { DailyMatrix } from './daily-matrix'
import { closesOf } from './daily-matrix'

/*
 * Statistics of a pair from daily closes. With x = ln(A / B), the series of a window is the x of its days on which both
 * closes are known, and the current x as the last point.
 */

/** Days before the current ratio. */
export const STATISTIC_WINDOWS = [30, 90, 180, 365] as const
export type StatisticWindow = (typeof STATISTIC_WINDOWS)[number]

/** The window of cards, the list of pairs and the app's badge. */
export const STANDING_WINDOW = 90 satisfies StatisticWindow

/** With fewer common days of a pair in the whole matrix nothing is said of it. */
export const MIN_COMMON_DAYS = 60
/** With fewer common days in a window it has no mean. */
export const MIN_WINDOW_DAYS = 20

/** Outcome of the mean-reversion test: the hypothesis of a random walk is rejected at 5 %, at 10 %, or at neither. */
export const VERDICTS = ['reverting', 'weakly reverting', 'trending'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One window of one pair. Null: too few days, or no such figure. */
export interface WindowStatistics {
  readonly window: StatisticWindow
  /** Days of the window on which both closes are known. */
  readonly days: number
  /** Mean and sample deviation of x over those days, the current point not among them. */
  readonly mean: number | null
  readonly deviation: number | null
  /** Sample deviations that the current x lies above the mean. */
  readonly z: number | null
  /** Share of those days with a ratio below the current one, of equal ones half; 0 to 1. */
  readonly percentile: number | null
  /** Days after which half of a distance from the mean is gone; null as well where nothing draws x back. */
  readonly halfLife: number | null
  /** The t of the augmented Dickey–Fuller test, and the words for it. */
  readonly adf: number | null
  readonly verdict: Verdict | null
  /** Of the daily log returns of A and B, −1 to 1. */
  readonly correlation: number | null
}

/** A pair's closes as columns of equal length, oldest first; NaN: not known. */
export interface PairCloses {
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
}

/** Current prices of both coins in USD; NaN: not known. */
export interface CurrentPrices {
  readonly a: number
  readonly b: number
}

/** The closes of a pair; null: the matrix lacks a coin. */
export function pairCloses(matrix: DailyMatrix, coinA: string, coinB: string): PairCloses | null {
  const coins: readonly string[] = matrix.coins
  const [a, b] = [coins.indexOf(coinA), coins.indexOf(coinB)]
  return a === -1 || b === -1 ? null : { a: closesOf(matrix, a), b: closesOf(matrix, b) }
}

/** x of every day, oldest first, the current one last; NaN: not known. */
function logRatios({ a, b }: PairCloses, current: CurrentPrices): Float64Array {
  const x = new Float64Array(a.length + 1)
  for (let day = 0; day < a.length; day++) x[day] = Math.log(a[day]! / b[day]!)
  x[a.length] = Math.log(current.a / current.b)
  return x.map((value) => (Number.isFinite(value) ? value : NaN))
}

/** The statistics of a pair in every window of STATISTIC_WINDOWS, shortest first. */
export function pairStatistics(closes: PairCloses, current: CurrentPrices): readonly WindowStatistics[] {
  const x = logRatios(closes, current)
  const common = x.subarray(0, -1).filter((value) => !Number.isNaN(value)).length
  return STATISTIC_WINDOWS.map((window) => {
    const start = Math.max(0, x.length - 1 - window)
    const days = x.subarray(start, -1).filter((value) => !Number.isNaN(value)).length
    const isKnown = common >= MIN_COMMON_DAYS && days >= MIN_WINDOW_DAYS
    if (!isKnown) return { ...NOTHING, window, days }
    const series = x.subarray(start)
    const adf = dickeyFuller(series)
    return {
      window,
      days,
      ...place(series),
      halfLife: halfLife(series),
      adf: adf?.t ?? null,
      verdict: adf === null ? null : verdictOf(adf.t, adf.observations),
      correlation: correlation(closes, current, start),
    }
  })
}

const NOTHING = {
  mean: null,
  deviation: null,
  z: null,
  percentile: null,
  halfLife: null,
  adf: null,
  verdict: null,
  correlation: null,
} as const

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Mean and deviation of the days, and the place of the current point among them. */
function place(series: Float64Array): Pick<WindowStatistics, 'mean' | 'deviation' | 'z' | 'percentile'> {
  const now = series.at(-1)!
  const days = series.subarray(0, -1).filter((value) => !Number.isNaN(value))
  const mean = days.reduce((sum, value) => sum + value, 0) / days.length
  const squares = days.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (days.length - 1))
  const below = days.reduce((count, value) => count + (value < now ? 1 : value === now ? 0.5 : 0), 0)
  return {
    mean,
    deviation,
    z: deviation > 0 ? finite((now - mean) / deviation) : null,
    percentile: Number.isNaN(now) ? null : below / days.length,
  }
}

/** Sums of products of two columns about their means. */
const product = (u: readonly number[], v: readonly number[]): number => {
  const meanOf = (column: readonly number[]) => column.reduce((sum, value) => sum + value, 0) / column.length
  const [meanU, meanV] = [meanOf(u), meanOf(v)]
  return u.reduce((sum, value, index) => sum + (value - meanU) * (v[index]! - meanV), 0)
}

/**
 * Ordinary least squares of Δx on the x before it: x_t = x_{t−1} + c + b·x_{t−1}. A distance from the mean shrinks by the
 * factor 1 + b a day. Steps across a day that is not known are left out.
 */
function halfLife(series: Float64Array): number | null {
  const before: number[] = []
  const step: number[] = []
  for (let t = 1; t < series.length; t++) {
    const change = series[t]! - series[t - 1]!
    if (Number.isNaN(change)) continue
    before.push(series[t - 1]!)
    step.push(change)
  }
  const b = product(before, step) / product(before, before)
  return before.length >= MIN_WINDOW_DAYS && b > -1 && b < 0 ? Math.LN2 / -Math.log1p(b) : null
}

/**
 * Augmented Dickey–Fuller test with intercept and one lag (Said and Dickey 1984): Δx_t = c + b·x_{t−1} + g·Δx_{t−1}, the t of b.
 */
function dickeyFuller(series: Float64Array): { readonly t: number; readonly observations: number } | null {
  const before: number[] = []
  const stepBefore: number[] = []
  const step: number[] = []
  for (let t = 2; t < series.length; t++) {
    const change = series[t]! - series[t - 1]!
    const changeBefore = series[t - 1]! - series[t - 2]!
    if (Number.isNaN(change + changeBefore)) continue
    before.push(series[t - 1]!)
    stepBefore.push(changeBefore)
    step.push(change)
  }
  const observations = step.length
  if (observations < MIN_WINDOW_DAYS) return null
  const uu = product(before, before)
  const uv = product(before, stepBefore)
  const vv = product(stepBefore, stepBefore)
  const uy = product(before, step)
  const vy = product(stepBefore, step)
  const yy = product(step, step)
  const alone = uu - uv ** 2 / vv
  const b = (uy - (uv * vy) / vv) / alone
  const g = (vy - b * uv) / vv
  const residual = (yy - b * uy - g * vy) / (observations - 3)
  const t = finite(b / Math.sqrt(residual / alone))
  return t === null ? null : { t, observations }
}

/** b∞, b1, b2 and b3 of the response surface of the test with intercept (MacKinnon 2010, table 2, N = 1). */
const CRITICAL = {
  5: [-2.86154, -2.8903, -4.234, -40.04],
  10: [-2.56677, -1.5384, -2.809, 0],
} as const

const criticalValue = (percent: keyof typeof CRITICAL, observations: number): number =>
  CRITICAL[percent].reduce<number>((sum, b, power) => sum + b / observations ** power, 0)

export function verdictOf(t: number, observations: number): Verdict {
  if (t <= criticalValue(5, observations)) return 'reverting'
  return t <= criticalValue(10, observations) ? 'weakly reverting' : 'trending'
}

/** Pearson's, of the daily log returns from `start` on, the current prices last. */
function correlation({ a, b }: PairCloses, current: CurrentPrices, start: number): number | null {
  const at = (column: ArrayLike<number>, now: number, day: number) => Math.log(day < column.length ? column[day]! : now)
  const returnsA: number[] = []
  const returnsB: number[] = []
  for (let day = start + 1; day <= a.length; day++) {
    const returnA = at(a, current.a, day) - at(a, current.a, day - 1)
    const returnB = at(b, current.b, day) - at(b, current.b, day - 1)
    if (!Number.isFinite(returnA + returnB)) continue
    returnsA.push(returnA)
    returnsB.push(returnB)
  }
  if (returnsA.length < MIN_WINDOW_DAYS) return null
  const spread = Math.sqrt(product(returnsA, returnsA) * product(returnsB, returnsB))
  return spread > 0 ? finite(product(returnsA, returnsB) / spread) : null
}
