import { BUCKET_MS, coarserThan, type Granularity } from './granularity'
import { lowerBound, type Series, viewOf } from './series'

/** A coin's stored history. A level without a record is absent; a damaged record is unreadable. */
export type Records = Readonly<Partial<Record<Granularity, Series | 'unreadable'>>>

/** A series whose points may come from several levels. */
export interface MixedSeries extends Series {
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

/**
 * True if no neighbours of a record are further apart than `widest`, from `from` to `until`. A record that begins late has
 * no hole before its first point: a young coin has no earlier one.
 * @param until milliseconds: the time of the newest price, which ends the chart
 */
export function isUnbroken({ times }: Series, from: number, until: number, widest: number): boolean {
  let before: number | undefined
  for (let index = lowerBound(times, from); index < times.length; index++) {
    const time = times[index]!
    if (before !== undefined && time - before > widest) return false
    before = time
  }
  return before !== undefined && until - before <= widest
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
