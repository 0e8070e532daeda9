import { BUCKET_MS, type Granularity } from './granularity'
import type { LivePrices } from './live-prices'
import { ratioOf } from './pair'
import { PERIOD_RULES, type Period } from './chart-periods'
import { lowerBound } from './series'
import { type Records, type MixedSeries, type ChosenSeries, chooseSeries } from './choose-series'

export interface ChartInput {
  readonly a: Records
  readonly b: Records
  readonly period: Period
  /** Milliseconds: the chart's right edge, or earlier where nothing is known up to then. */
  readonly now: number
  readonly live: LivePrices | null
}

/** Both coins' points that a period's chart is drawn from. Times in milliseconds. */
interface PairSeries {
  readonly kind: 'series'
  readonly a: MixedSeries
  readonly b: MixedSeries
  /** Left edge of the period. */
  readonly from: number
  /** Start of the initial-average window, which ends at the left edge. */
  readonly averageFrom: number
}

/** The answer in place of a chart. */
export type ChartLacking =
  /** The records exist and hold no points. */
  | { readonly kind: 'empty' }
  /** The specification's sentence. */
  | { readonly kind: 'error'; readonly message: string }

export const chartError = (message: string): ChartLacking => ({ kind: 'error', message })

const NO_DATA_IN_PERIOD = chartError('No chart data in selected period.')

/** Chooses both coins' points for a period and the window before it. */
export function pairSeries({ a, b, period, now, live }: ChartInput): PairSeries | ChartLacking {
  if (holdsNothing(a) || holdsNothing(b)) return { kind: 'empty' }
  const { granularity } = PERIOD_RULES[period]
  const { from, averageFrom } = chartWindow(period, now, Math.max(live?.providerTime ?? -Infinity, newestOf(a, b)))
  const chosenA = chooseSeries(a, granularity, from, averageFrom)
  const chosenB = chooseSeries(b, granularity, from, averageFrom)
  if (chosenA.kind !== 'series' || chosenB.kind !== 'series') {
    return chartError(notAvailable(granularity, chosenA, chosenB))
  }
  if (!reaches(chosenA.series, from) || !reaches(chosenB.series, from)) return NO_DATA_IN_PERIOD
  return { kind: 'series', a: chosenA.series, b: chosenB.series, from, averageFrom }
}

/**
 * The start of a period's chart and of the window before it.
 * @param known the newest time anything is known of: a device that was offline for days still shows the last it knew
 */
export function chartWindow(period: Period, now: number, known: number): { from: number; averageFrom: number } {
  const { duration, initialAverage } = PERIOD_RULES[period]
  const from = Math.min(now, known) - duration
  return { from, averageFrom: from - initialAverage }
}

/** The newest point of any record, milliseconds; -Infinity: there is none. */
export function newestOf(...coins: readonly Records[]): number {
  const ends = coins
    .flatMap((records) => Object.values(records))
    .map((record) => (record === 'unreadable' ? -Infinity : (record.times.at(-1) ?? -Infinity)))
  return Math.max(-Infinity, ...ends)
}

function holdsNothing(records: Records): boolean {
  const known = Object.values(records)
  return known.length > 0 && known.every((record) => record !== 'unreadable' && record.times.length === 0)
}

const reaches = (series: MixedSeries, from: number): boolean => lowerBound(series.times, from) < series.times.length

function notAvailable(granularity: Granularity, ...chosen: readonly ChosenSeries[]): string {
  const what = chosen.some(({ kind }) => kind === 'no-chart-record') ? 'Chart data' : 'Init avg data'
  return `${what} (${granularity}) not available.`
}

/** The live point's place in a chart; points as new as it give way. */
interface LivePlace {
  readonly prices: LivePrices
  readonly ratio: number
  /** How many points of the history stay before it. */
  readonly index: number
}

/**
 * A chart ends at the ratio of the card. History that is more than a bucket newer than the last prices stays as it is,
 * without a live point: null.
 * @param times of the history inside the period, ascending, milliseconds; not empty
 */
export function livePlace(times: Float64Array, prices: LivePrices | null, period: Period): LivePlace | null {
  if (prices === null) return null
  const ratio = ratioOf(prices.priceA, prices.priceB)
  const earliest = times[times.length - 1]! - BUCKET_MS[PERIOD_RULES[period].granularity]
  return ratio === null || prices.providerTime < earliest
    ? null
    : { prices, ratio, index: lowerBound(times, prices.providerTime) }
}
