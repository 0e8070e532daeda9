import { type DailyMatrix, closesOf } from './daily-matrix'
import { coinColumn, PairMoments } from './pair-moments'

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

/** The statistics of a pair in every window of STATISTIC_WINDOWS, shortest first. */
export function pairStatistics({ a, b }: PairCloses, current: CurrentPrices): readonly WindowStatistics[] {
  const moments = new PairMoments(a.length)
  moments.begin(coinColumn(a, current.a), coinColumn(b, current.b), a.length)
  return STATISTIC_WINDOWS.map((window) => {
    moments.widen(window)
    const days = moments.days.count
    if (!hasStatistics(moments)) return { ...NOTHING, window, days }
    const adf = dickeyFuller(moments)
    return {
      window,
      days,
      mean: moments.offset + moments.days.mean(),
      deviation: deviation(moments),
      z: finite(zScore(moments)),
      percentile: finite(percentileOf(moments)),
      halfLife: finite(halfLife(moments)),
      adf: finite(adf),
      verdict: Number.isNaN(adf) ? null : verdictOf(adf, moments.lagged.count),
      correlation: finite(correlation(moments)),
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

/** False: too few days are known for any figure of the window. */
export const hasStatistics = ({ common, days }: PairMoments): boolean =>
  common >= MIN_COMMON_DAYS && days.count >= MIN_WINDOW_DAYS

const deviation = ({ days }: PairMoments): number => Math.sqrt(days.product(0, 0) / (days.count - 1))

/** NaN: the ratio never moved, or is not known now. */
export function zScore(moments: PairMoments): number {
  const spread = deviation(moments)
  return spread > 0 ? (moments.now - moments.days.mean()) / spread : NaN
}

/** NaN: the ratio is not known now. */
export const percentileOf = ({ below, days, now }: PairMoments): number =>
  Number.isNaN(now) ? NaN : below / days.count

/**
 * Ordinary least squares of Δx on the x before it: x_t = x_{t−1} + c + b·x_{t−1}. A distance from the mean shrinks by the
 * factor 1 + b a day. Steps across a day that is not known are left out. NaN: nothing draws x back, or fewer than
 * MIN_WINDOW_DAYS steps.
 */
export function halfLife({ steps }: PairMoments): number {
  const b = steps.product(0, 1) / steps.product(0, 0)
  return steps.count >= MIN_WINDOW_DAYS && b > -1 && b < 0 ? Math.LN2 / -Math.log1p(b) : NaN
}

/** Sums of squares that are this share of their former size are what rounding left of nothing. */
const NOTHING_LEFT = 1e-12

/**
 * The t of b by the augmented Dickey–Fuller test with intercept and one lag (Said and Dickey 1984):
 * Δx_t = c + b·x_{t−1} + g·Δx_{t−1}. The three days of an observation lie side by side in the window; a day that is not
 * known takes its observations with it. NaN: fewer than MIN_WINDOW_DAYS observations, or the line fits without a rest.
 */
export function dickeyFuller({ lagged }: PairMoments): number {
  if (lagged.count < MIN_WINDOW_DAYS) return NaN
  const xx = lagged.product(0, 0)
  const xv = lagged.product(0, 1)
  const xy = lagged.product(0, 2)
  const vv = lagged.product(1, 1)
  const vy = lagged.product(1, 2)
  const yy = lagged.product(2, 2)
  const alone = xx - (xv * xv) / vv
  const b = (xy - (xv * vy) / vv) / alone
  const g = (vy - b * xv) / vv
  const rest = yy - b * xy - g * vy
  if (!(alone > NOTHING_LEFT * xx && rest > NOTHING_LEFT * yy)) return NaN
  return b / Math.sqrt(rest / (lagged.count - 3) / alone)
}

/** b∞, b1, b2 and b3 of the response surface of the test with intercept (MacKinnon 2010, table 2, N = 1). */
const CRITICAL = {
  5: [-2.86154, -2.8903, -4.234, -40.04],
  10: [-2.56677, -1.5384, -2.809, 0],
} as const

const criticalValue = ([b0, b1, b2, b3]: (typeof CRITICAL)[5 | 10], observations: number): number =>
  b0 + (b1 + (b2 + b3 / observations) / observations) / observations

export function verdictOf(t: number, observations: number): Verdict {
  if (t <= criticalValue(CRITICAL[5], observations)) return 'reverting'
  return t <= criticalValue(CRITICAL[10], observations) ? 'weakly reverting' : 'trending'
}

/**
 * Pearson's, of the log returns between neighbouring days on which both closes are known. NaN: fewer than MIN_WINDOW_DAYS
 * of them, or a coin that never moved.
 */
export function correlation({ returns }: PairMoments): number {
  const spread = Math.sqrt(returns.product(0, 0)) * Math.sqrt(returns.product(1, 1))
  const shared = returns.product(0, 1) / spread
  return returns.count >= MIN_WINDOW_DAYS && spread > 0 ? Math.max(-1, Math.min(1, shared)) : NaN
}
