import type { Historical, MarketSource } from '../../../../src/contract/market'
import { bucketStart } from '../../../../src/domain/aggregation'
import { BUCKET_MS, coarserThan, GRANULARITIES, type Granularity, WIDEST_GAP } from '../../../../src/domain/granularity'
import { PERIOD_RULES, type Period } from '../../../../src/domain/chart-periods'
import { emptySeries, lowerBound, mergeSeries, type Series, sliceSeries } from '../../../../src/domain/series'
import type { Reach, SpotPrice } from '../../../adapters/market-data/provider'

/**
 * Buckets that may be missing before a provider is asked: as many as a chart bridges. Five-minute buckets may be polled
 * somewhat more slowly than they come, and two days without a daily point is a day too many.
 */
const SLACK: Readonly<Record<Granularity, number>> = {
  fiveMinutely: 4,
  thirtyMinutely: WIDEST_GAP,
  hourly: WIDEST_GAP,
  daily: 2,
}

export interface Span {
  /** Milliseconds. */
  readonly from: number
  readonly until: number
}

/**
 * Spans in `times` (bucket starts, ascending) without points for longer than the level allows; a span without any
 * point is a gap as soon as it is as wide as a bucket.
 */
export function gapsIn(times: Float64Array, granularity: Granularity, { from, until }: Span): Span[] {
  const size = BUCKET_MS[granularity]
  const widest = SLACK[granularity] * size
  const first = lowerBound(times, from - size)
  if (first === times.length || times[first]! > until) return until - from >= size ? [{ from, until }] : []
  const gaps: Span[] = []
  let last = from
  for (let i = first; i < times.length && times[i]! <= until; i++) {
    if (times[i]! - last > widest) gaps.push({ from: last, until: times[i]! })
    last = Math.max(last, times[i]!)
  }
  if (until - last > widest) gaps.push({ from: last, until })
  return gaps
}

/** True if an answer has not covered every gap: a gap that was asked for and came empty is not asked for again. */
export function isWanting(gaps: readonly Span[], granularity: Granularity, covered: Span | null): boolean {
  const slack = SLACK[granularity] * BUCKET_MS[granularity]
  return gaps.some((gap) => covered === null || gap.from < covered.from - slack || gap.until > covered.until + slack)
}

interface Wanted extends Span {
  readonly granularity: Granularity
}

/**
 * Milliseconds for which a level that lacks nothing now lacks nothing if no points come: until its newest point has become
 * too old or has left the span, and no answer covers the gap.
 */
export function lacksNothingFor(times: Float64Array, wanted: Wanted, covered: Span | null): number {
  const { granularity, from, until } = wanted
  const size = BUCKET_MS[granularity]
  const slack = SLACK[granularity] * size
  // `gapsIn` finds no gap in so narrow a span.
  if (until - from < size) return Infinity
  const newest = times[lowerBound(times, until + 1) - 1] ?? -Infinity
  const gapAfter = Math.min(newest + slack - until, newest + size - from)
  if (covered === null || Math.max(newest, from) < covered.from - slack) return gapAfter
  return Math.max(gapAfter, covered.until + slack - until)
}

/** Span that a chart of this period reads: the period and the initial-average window before it. */
export function chartSpan(period: Period, now: number): Span {
  const { duration, initialAverage } = PERIOD_RULES[period]
  return { from: now - duration - initialAverage, until: now }
}

/**
 * Which levels to ask a provider for so that a chart has its span. A level that it does not offer is folded from the next
 * finer one that it does; what lies beyond the reach of one level comes from the next coarser one.
 */
export function wantedLevels(period: Period, reach: Reach, now: number): Wanted[] {
  const own = PERIOD_RULES[period].granularity
  const { from } = chartSpan(period, now)
  const offered = GRANULARITIES.slice(0, GRANULARITIES.indexOf(own) + 1).findLast((level) => reach[level] !== undefined)
  const levels = [offered ?? own, ...coarserThan(own)]
  const wanted: Wanted[] = []
  let until = now
  for (const granularity of levels) {
    const reaches = reach[granularity]
    if (reaches === undefined) continue
    const start = Math.max(from, now - reaches)
    if (start < until) wanted.push({ granularity, from: start, until })
    until = Math.min(until, start)
    if (until <= from) break
  }
  return wanted
}

/**
 * A provider fills the old end of a level with more widely spaced points where it has no others. They belong to the
 * level of their spacing: among the finer ones they would be gaps that nobody sees.
 * @returns the part that is dense enough, and the head of coarser points where there is one
 */
export function splitByDensity(
  { times, prices }: Series,
  granularity: Granularity,
): { readonly granularity: Granularity; readonly series: Series }[] {
  const next = coarserThan(granularity)[0]
  const whole = [{ granularity, series: { times, prices } }]
  if (next === undefined) return whole
  const wide = Math.max(BUCKET_MS[next] / 2, BUCKET_MS[granularity] * 1.5)
  let head = 0
  let narrowest = Infinity
  while (head + 1 < times.length && times[head + 1]! - times[head]! >= wide) {
    narrowest = Math.min(narrowest, times[head + 1]! - times[head]!)
    head++
  }
  // The last coarse point before the dense ones may stand closer to them than to its like.
  if (head > 0 && head + 1 < times.length && times[head + 1]! - times[head]! > WIDEST_GAP * BUCKET_MS[granularity])
    head++
  // Two or three lone points are an outage rather than another spacing.
  if (head < 3) return whole
  const coarse = coarserThan(granularity).findLast((level) => BUCKET_MS[level] <= narrowest * 2) ?? next
  return [
    { granularity: coarse, series: { times: times.slice(0, head), prices: prices.slice(0, head) } },
    { granularity, series: { times: times.slice(head), prices: prices.slice(head) } },
  ]
}

/** Digits of a price that are sent: means have more, and nobody can tell. */
const DIGITS = 12
const asPoints = ({ times, prices }: Series): [number, number][] =>
  Array.from(times, (time, i) => [time, Number(prices[i]!.toPrecision(DIGITS))])

/** The bucket that is still open shows the latest price, so that history ends where the live price stands. */
function closeWith(series: Series, size: number, spot: SpotPrice | undefined): Series {
  const last = series.times.at(-1) ?? -Infinity
  if (spot === undefined || bucketStart(spot.providerTime, size) < last) return series
  return mergeSeries(series, {
    times: Float64Array.of(bucketStart(spot.providerTime, size)),
    prices: Float64Array.of(spot.usd),
  })
}

/**
 * Start of the finer level: after the last gap that coarser points can fill and that outweighs what the finer
 * level holds before it. A server that was down for days would else show those days as nothing.
 */
function denseFrom(finer: Series, granularity: Granularity, coarser: readonly Series[], span: Span): number {
  const first = finer.times[0]
  if (first === undefined) return span.from
  const size = BUCKET_MS[granularity]
  const worth = gapsIn(finer.times, granularity, { from: first, until: span.until }).findLast((gap) => {
    const before = sliceSeries(finer, first, gap.from + 1).times.length * size
    const filled = coarser.some(({ times }) => times.some((time) => time > gap.from && time < gap.until))
    return filled && gap.until - gap.from > before
  })
  return worth === undefined ? first : worth.until
}

/**
 * The answer to a chart: the period's own level as far back as it goes, then the next coarser ones for the older rest,
 * never mixed within the span of a finer one.
 */
export function composeHistory(
  levels: Readonly<Record<Granularity, Series>>,
  granularity: Granularity,
  span: Span,
  spot: SpotPrice | undefined,
  source: MarketSource,
): Historical {
  const coarser = coarserThan(granularity)
  const closed = closeWith(levels[granularity], BUCKET_MS[granularity], spot)
  const coarserSeries = coarser.map((level) => levels[level])
  const start = denseFrom(closed, granularity, coarserSeries, span)
  const own = closed.times.length === 0 ? emptySeries() : sliceSeries(closed, start)

  const backfill: Historical['backfill'] = []
  let until = own.times[0] ?? span.until
  let size = BUCKET_MS[granularity]
  for (const level of coarser) {
    if (until - size <= span.from) break
    const older = sliceSeries(levels[level], -Infinity, until)
    if (older.times.length === 0) continue
    backfill.push({ granularity: level, data: asPoints(older) })
    until = older.times[0]!
    size = BUCKET_MS[level]
  }
  return { data: asPoints(own), granularity, source, backfill }
}
