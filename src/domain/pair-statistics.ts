import { type DailyMatrix, closesOf } from './daily-matrix'
import { coinColumn, PairMoments } from './pair-moments'
import { dickeyFuller, halfLifeOf, persistence, type Verdict, verdictOf } from './reversion'

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

/** Log units. */
interface Legs {
  readonly a: number
  readonly b: number
}

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
  /**
   * How far ln A and ln B stand from their own means over the same days: a − b is x above its mean, so that the larger
   * one says which coin moved.
   */
  readonly legs: Legs | null
  /**
   * Days after which half of a distance from the mean was gone; null as well where nothing drew x back, or too slowly to be
   * measured in the window.
   */
  readonly halfLife: number | null
  /** The t of the augmented Dickey–Fuller test, and its outcome at 5 %: of what was, no forecast. */
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
  const moments = new PairMoments(a.length, true)
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
      legs: Number.isNaN(moments.now) ? null : { a: legOfA(moments), b: legOfA(moments) - distanceOf(moments) },
      halfLife: finite(halfLife(moments, window)),
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
  legs: null,
  halfLife: null,
  adf: null,
  verdict: null,
  correlation: null,
} as const

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** False: too few days are known for any figure of the window. */
export const hasStatistics = ({ common, days }: PairMoments): boolean =>
  common >= MIN_COMMON_DAYS && days.count >= MIN_WINDOW_DAYS

export const deviation = ({ days }: PairMoments): number => Math.sqrt(days.product(0, 0) / (days.count - 1))

/** x above its mean. NaN: the ratio is not known now. */
export const distanceOf = ({ days, now }: PairMoments): number => now - days.mean()

/** ln A above its mean over the common days. NaN: the ratio is not known now. */
export const legOfA = ({ days, sumA, now, nowA }: PairMoments): number =>
  Number.isNaN(now) ? NaN : nowA - sumA / days.count

/** NaN: the ratio never moved, or is not known now. */
export function zScore(moments: PairMoments): number {
  const spread = deviation(moments)
  return spread > 0 ? distanceOf(moments) / spread : NaN
}

/** A half-life beyond this share of its window cannot be measured there: series that wander freely have such ones. */
const MEASURABLE_SHARE = 1 / 3

/** NaN: none that the window can tell. */
function halfLife(moments: PairMoments, window: StatisticWindow): number {
  const days = halfLifeOf(persistence(moments), moments.steps.count)
  return days <= window * MEASURABLE_SHARE ? days : NaN
}

/** NaN: the ratio is not known now. */
export const percentileOf = ({ below, days, now }: PairMoments): number =>
  Number.isNaN(now) ? NaN : below / days.count

/**
 * Pearson's, of the log returns between neighbouring days on which both closes are known. NaN: fewer than MIN_WINDOW_DAYS
 * of them, or a coin that never moved.
 */
export function correlation({ returns }: PairMoments): number {
  const spread = Math.sqrt(returns.product(0, 0)) * Math.sqrt(returns.product(1, 1))
  const shared = returns.product(0, 1) / spread
  return returns.count >= MIN_WINDOW_DAYS && spread > 0 ? Math.max(-1, Math.min(1, shared)) : NaN
}
