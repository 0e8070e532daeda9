import type { ChartColumns } from '../src/domain/chart'
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

/** The buffers of its columns are transferred. */
export interface ChartReady extends ChartColumns {
  readonly kind: 'ready'
  /** Milliseconds: when the older of the two coins' records last came from the server. */
  readonly fetchedAt: number
}
export type ChartAnswer =
  | ChartReady
  | { readonly kind: 'empty' }
  /** The specification's sentence, such as "Chart data (hourly) not available." */
  | { readonly kind: 'error'; readonly message: string }

/** Requests the file of a pair's prices: the rows of the chart's period. */
export interface CsvRequest extends ChartRequest {
  readonly symbolA: string
  readonly symbolB: string
}

/** The last day of a pair, for its card. */
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
  /** The prices behind the chart, as a file of text/csv; rejects if there are none. */
  csv(request: CsvRequest): Promise<Blob>
  summaries(pairs: readonly PairIds[], now: number): Promise<PairSummary[]>
  /** Folds ticks into the four history levels and bounds them. */
  aggregate(now: number): Promise<void>
}
