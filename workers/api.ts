import type { FigureAge } from '../src/domain/ages'
import type { ChanceCount, ChanceQuestion } from '../src/domain/chance-of-extremes'
import type { ChartColumns } from '../src/domain/chart'
import type { Excursions } from '../src/domain/excursions'
import type { CoinId } from '../src/domain/ids'
import type { PairColumns } from '../src/domain/pair-columns'
import type { WindowStatistics } from '../src/domain/pair-statistics'
import type { Period } from '../src/domain/chart-periods'
import type { PairStanding } from '../src/domain/standing'
import type { SwapReach, Walk, WalkOptions } from '../src/domain/walk-forward'

export interface PairIds {
  readonly coinA: CoinId
  readonly coinB: CoinId
}

export interface ChartRequest extends PairIds {
  readonly period: Period
  /** Milliseconds: the chart's right edge. */
  readonly now: number
}

/**
 * The data that a chart stands on. `period`: the period's own, of both coins, as the server gave them. `closes`: daily ones,
 * closes among them, in a period that is drawn day by day. `part`: records of other periods and daily closes; the line is
 * right as far as it goes, and no figure is made of it.
 */
export type ChartBasis = 'period' | 'closes' | 'part'

/** The buffers of its columns are transferred. */
export interface ChartReady extends ChartColumns {
  readonly kind: 'ready'
  /** Milliseconds: when the older of the two coins' records last came from the server. */
  readonly fetchedAt: number
  /** True: daily closes stand where a coin's history is not stored. */
  readonly hasCloses: boolean
  readonly basis: ChartBasis
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
  /** Place among the daily closes of 90 days; null: too few are known, or they are too old. */
  readonly standing: PairStanding | null
  /** Days by which the closes are behind, from as many on as name no extreme; else null. */
  readonly closesAge: number | null
}

/** Requests the statistics of all pairs of the best coins by market cap and of the user's own. */
export interface RadarRequest {
  /** How many of the best; a tier may allow fewer than there are. */
  readonly ranked: number
  readonly own: readonly CoinId[]
}

/** The buffers of its columns are transferred. */
export interface RadarReady extends PairColumns {
  readonly kind: 'ready'
  /** Of the matrix that the figures are computed from: numbers of UTC days since 1970. */
  readonly firstDay: number
  readonly days: number
  /** Milliseconds at which the server last answered for it. */
  readonly fetchedAt: number
  /** How old the newest price and the closes are. */
  readonly age: FigureAge
  /** By coin: milliseconds at which its price was true; NaN: not known, or older than the last close. */
  readonly pricedAt: Float64Array
  /** Milliseconds by which this device's clock is ahead of the server's. */
  readonly clockAhead: number
  /** `a` and `b` of a pair are indices into it; so many at the front are the best by market cap. */
  readonly coins: readonly CoinId[]
  readonly ranked: number
  /** Coin by coin, `days` daily closes in USD each; NaN: not known. */
  readonly closes: Float32Array
  /** By row of `coins`: the row of the best coin of the same money. */
  readonly money: Uint16Array
  /** By row, of those coins alone: number of the UTC day since which no trading was seen. */
  readonly frozenSince: ReadonlyMap<number, number>
}
/** `none`: no matrix is stored yet. */
export type RadarAnswer = RadarReady | { readonly kind: 'none' }

/** Asks how many of some pairs chance puts beyond a line. */
export interface ChanceRequest extends ChanceQuestion {
  /** `a` and `b` of a pair are indices into it. */
  readonly coins: readonly CoinId[]
}

/** One window of one pair, with the ends of its excursions; null where no day has enough days before it. */
export interface WindowReport extends WindowStatistics {
  /** Closes of both coins that look wrong, and are none of its days. */
  readonly leftOut: number
  readonly highs: Excursions | null
  readonly lows: Excursions | null
}

export interface PairReport {
  /** NaN: not known. */
  readonly ratio: number
  /** True: `ratio` is of prices that are live. */
  readonly isLive: boolean
  /** Milliseconds: the time of the older price; null: `ratio` is of the closes of `lastDay`. */
  readonly pricedAt: number | null
  /** Days by which the closes are behind, where they are too old for any figure; else null. */
  readonly closesAge: number | null
  /** Number of the last UTC day of the matrix, since 1970. */
  readonly lastDay: number
  /** Days of the matrix on which both closes are known. */
  readonly commonDays: number
  /** By STATISTIC_WINDOWS. */
  readonly windows: readonly WindowReport[]
}

/** A pair's ratios of the last days, the current one last; the buffers are transferred. */
export interface RatioHistory {
  /** Milliseconds, ascending. */
  readonly times: Float64Array
  readonly ratios: Float64Array
  /** Milliseconds between two points, as a rule: an hour where both histories are stored, else a day. */
  readonly spacing: number
}

/** Requests a chart's backtest with lines that knew only what lay before them. */
export interface WalkRequest extends PairIds {
  readonly period: Period
  /** The chart's left edge and points, as they are shown. */
  readonly from: number
  readonly times: Float64Array
  readonly ratios: Float64Array
  /** The user's, walked as their distance from the chart's mean; null: the chart's bands'. */
  readonly thresholds: { readonly high: number; readonly low: number } | null
  /** Share of the amount that each swap costs. */
  readonly cost: number
}

export interface WalkAnswer extends Omit<Walk, 'swaps'> {
  /** That was walked: the asked one, or a year of daily closes in place of a short one without enough past. */
  readonly period: Period
  /** Milliseconds of the last point that was walked. */
  readonly until: number
  readonly swaps: number
  /** The rule that was walked. */
  readonly k: SwapReach
}

export type WalkRule = Pick<WalkOptions, 'k' | 'cost'>
/** The page sees how many pairs of how many are done, and resolves to false to end it. */
export type OnSlice = (done: number, total: number) => boolean | Promise<boolean>

/** One rule walked over all pairs of the stored closes, each both ways round. */
export interface PairsWalk {
  readonly pairs: number
  /** That were walked, after the first window. */
  readonly days: number
  /** Of the gains in the coin that each began with; null: no pair could be walked, or it was ended before. */
  readonly median: number | null
  /** Share of them that gained. */
  readonly above: number
}

/** The web worker's calls; it reads history and ticks from the local database itself. */
export interface WorkerApi {
  chart(request: ChartRequest): Promise<ChartAnswer>
  /** The prices behind the chart, as a file of text/csv; rejects if there are none. */
  csv(request: CsvRequest): Promise<Blob>
  summaries(pairs: readonly PairIds[], now: number): Promise<PairSummary[]>
  /** All pairs at once, from the stored daily closes. */
  radar(request: RadarRequest, now: number): Promise<RadarAnswer>
  /** From the stored daily closes; null: none are stored, or a newer question about the same line has come meanwhile. */
  chance(request: ChanceRequest): Promise<ChanceCount | null>
  /** One pair from the stored daily closes; null: none are stored of one of its coins. */
  pairReport(pair: PairIds, now: number): Promise<PairReport | null>
  /** The last `days` days of a pair, from stored history or else from daily closes; null: neither is stored. */
  ratioHistory(pair: PairIds, days: number, now: number): Promise<RatioHistory | null>
  /** Null: not enough past is stored for a fair test, or the ratio never moved. */
  walk(request: WalkRequest): Promise<WalkAnswer | null>
  walkPairs(rule: WalkRule, onSlice: OnSlice): Promise<PairsWalk>
  /** Folds ticks into the four history levels and bounds them. */
  aggregate(now: number): Promise<void>
}
