import type { CoinId } from '../src/domain/ids'
import type { Period } from '../src/domain/period'

export interface PairIds {
  readonly coinA: CoinId
  readonly coinB: CoinId
}

export interface ChartRequest extends PairIds {
  readonly period: Period
  /** Milliseconds: the chart's right edge. */
  readonly now: number
}

/** Columns of equal length, times ascending in milliseconds; NaN where a line has no value. Buffers are transferred. */
export interface ChartReady {
  readonly kind: 'ready'
  readonly times: Float64Array
  readonly ratio: Float64Array
  readonly ema: Float64Array
  readonly upper: Float64Array
  readonly lower: Float64Array
  /** Left edge of the period, milliseconds. */
  readonly from: number
  /** N of the moving average, points. */
  readonly averagePoints: number
  /** Estimated dominant oscillation period in milliseconds; null: none found. */
  readonly estimatedPeriod: number | null
  readonly currentBands: { readonly high: number; readonly low: number } | null
  /** Milliseconds: when the older of the two coins' records last came from the server. */
  readonly fetchedAt: number
}
export type ChartAnswer =
  | ChartReady
  | { readonly kind: 'empty' }
  /** The specification's sentence, such as "Chart data (hourly) not available." */
  | { readonly kind: 'error'; readonly message: string }

/** What a card shows of the last day. */
export interface PairSummary extends PairIds {
  /** Fraction, 0.05 is +5 %; null: not known. */
  readonly change24h: number | null
  /** Steps of standard deviation, -3 to 3; null: too few points. */
  readonly trend: number | null
  /** At most 96 points of the last 24 h, for the sparkline. */
  readonly sparkTimes: Float64Array
  readonly spark: Float64Array
}

/** The web worker's calls; it reads history and ticks from the local database itself. */
export interface WorkerApi {
  chart(request: ChartRequest): Promise<ChartAnswer>
  summaries(pairs: readonly PairIds[], now: number): Promise<PairSummary[]>
  /** Folds ticks into the four history levels and bounds them. */
  aggregate(now: number): Promise<void>
}
