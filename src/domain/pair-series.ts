import { BUCKET_MS, coarserThan, type Granularity } from './granularity'
import type { LivePrices } from './live-prices'
import { ratioOf } from './pair'
import { PERIOD_RULES, type Period } from './chart-periods'
import { lowerBound, type Series, viewOf } from './series'

/** A coin's stored history. A level without a record is absent; a damaged record is unreadable. */
export type Records = Readonly<Partial<Record<Granularity, Series | 'unreadable'>>>

/** A series whose points may come from several levels. */
interface MixedSeries extends Series {
  /** Bucket width of the level that each point comes from, milliseconds. */
  readonly widths: Float64Array
}

export type ChosenSeries =
  | { readonly kind: 'series'; readonly series: MixedSeries }
  /** No record for the chart's own span. */
  | { readonly kind: 'no-chart-record' }
  /** The chart's span is covered, the record for the span before it cannot be read. */
  | { readonly kind: 'no-average-record' }

/**
 * A coin's series at the period's granularity; a gap at its old end is filled from the next coarser level that has the
 * points. Inside the span that a finer level covers no coarser point is taken.
 * @param chartFrom left edge of the chart, milliseconds
 * @param wantedFrom start of the initial-average window before it, milliseconds
 */
export function chooseSeries(
  records: Records,
  granularity: Granularity,
  chartFrom: number,
  wantedFrom: number,
): ChosenSeries {
  let chosen: MixedSeries | null = null
  /** First point of the finer levels, and the time from which they cover the series. */
  let begin = Infinity
  let coveredFrom = Infinity
  for (const level of [granularity, ...coarserThan(granularity)]) {
    if (coveredFrom <= wantedFrom) break
    const record = records[level]
    if (record === undefined) continue
    if (record === 'unreadable') return { kind: coveredFrom <= chartFrom ? 'no-average-record' : 'no-chart-record' }
    const width = BUCKET_MS[level]
    // One bucket more than wanted, so that a price can be interpolated at the very edge.
    const older = viewOf(record, wantedFrom - width, begin)
    chosen = joined(older, width, chosen)
    begin = chosen.times[0] ?? Infinity
    coveredFrom = Math.min(coveredFrom, speaksFrom(chosen.times, width, wantedFrom))
  }
  return chosen === null ? { kind: 'no-chart-record' } : { kind: 'series', series: chosen }
}

/** True if the coarser records of a coin add nothing to the record of a period's own granularity. */
export function isEnough(own: Records[Granularity], granularity: Granularity, wantedFrom: number): boolean {
  if (own === undefined) return false
  return own === 'unreadable' || speaksFrom(own.times, BUCKET_MS[granularity], wantedFrom) <= wantedFrom
}

/** The start of the time that the points from `wantedFrom` on cover: a point covers a bucket's width around it. */
const speaksFrom = (times: Float64Array, width: number, wantedFrom: number): number =>
  (times[lowerBound(times, wantedFrom - width)] ?? Infinity) - width

function joined(older: Series, width: number, newer: MixedSeries | null): MixedSeries {
  const widths = new Float64Array(older.times.length).fill(width)
  if (newer === null) return { ...older, widths }
  return {
    times: concat(older.times, newer.times),
    prices: concat(older.prices, newer.prices),
    widths: concat(widths, newer.widths),
  }
}

function concat(first: Float64Array, second: Float64Array): Float64Array {
  const all = new Float64Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

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
