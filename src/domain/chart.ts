import { type Bands, bandsAround } from './bands'
import { averagePoints } from './ema'
import { BUCKET_MS, type Granularity } from './granularity'
import { estimatePeriod } from './oscillation'
import { PERIOD_RULES, type Period } from './period'
import { chooseSeries, type ChosenSeries, type MixedSeries, type Records } from './period-series'
import { closeWith, joinRatios, ratioOf, type RatioSeries, sliceRatios } from './ratio'
import { lowerBound } from './series'

/** The latest prices of both coins, and when they were asked for (milliseconds). */
export interface LivePrices {
  readonly time: number
  readonly priceA: number
  readonly priceB: number
}

export interface ChartInput {
  readonly a: Records
  readonly b: Records
  readonly period: Period
  /** Milliseconds: the chart's right edge, or earlier where nothing is known up to then. */
  readonly now: number
  readonly live: LivePrices | null
}

/** Columns of equal length, times ascending in milliseconds; NaN where a line has no value. */
export interface ChartColumns extends RatioSeries, Bands {
  /** Left edge of the period, milliseconds. */
  readonly from: number
  /** N of the moving average, points. */
  readonly averagePoints: number
  /** Milliseconds; null: none found. */
  readonly estimatedPeriod: number | null
  readonly currentBands: { readonly high: number; readonly low: number } | null
}

export type ChartResult =
  | { readonly kind: 'ready'; readonly columns: ChartColumns }
  /** The records are there and hold nothing at all. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'error'; readonly message: string }

const failed = (message: string): ChartResult => ({ kind: 'error', message })

/** Everything the chart of a pair shows of one period. */
export function computeChart({ a, b, period, now, live }: ChartInput): ChartResult {
  const rules = PERIOD_RULES[period]
  if (holdsNothing(a) || holdsNothing(b)) return { kind: 'empty' }

  const from = Math.min(now, newest(a, b, live)) - rules.duration
  const averageFrom = from - rules.initialAverage
  const chosenA = chooseSeries(a, rules.granularity, from, averageFrom)
  const chosenB = chooseSeries(b, rules.granularity, from, averageFrom)
  if (chosenA.kind !== 'series' || chosenB.kind !== 'series') {
    return failed(notAvailable(rules.granularity, chosenA, chosenB))
  }
  if (!reaches(chosenA.series, from) || !reaches(chosenB.series, from)) {
    return failed('No chart data in selected period.')
  }

  const joined = joinRatios(chosenA.series, chosenB.series, chosenB.series.widths)
  const inPeriod = sliceRatios(joined, from)
  if (inPeriod.times.length === 0) return failed('Could not calculate chart ratios.')
  const initial = sliceRatios(joined, averageFrom, from)
  const shown = closedByLive(inPeriod, live, BUCKET_MS[rules.granularity])

  const points = averagePoints(shown.times, rules.averageDays)
  const bands = bandsAround(initial.ratios, shown.ratios, points)
  const columns: ChartColumns = {
    ...shown,
    ...bands,
    from,
    averagePoints: points,
    estimatedPeriod: estimatePeriod(shown.times, shown.ratios, rules),
    currentBands: lastOf(bands),
  }
  return { kind: 'ready', columns }
}

function holdsNothing(records: Records): boolean {
  const known = Object.values(records)
  return known.length > 0 && known.every((record) => record !== 'unreadable' && record.times.length === 0)
}

/** The newest time anything is known of, so that a device that was offline for days still shows the last it knew. */
function newest(a: Records, b: Records, live: LivePrices | null): number {
  const ends = [...Object.values(a), ...Object.values(b)].map((record) =>
    record === 'unreadable' ? -Infinity : (record.times.at(-1) ?? -Infinity),
  )
  return Math.max(live?.time ?? -Infinity, ...ends)
}

const reaches = (series: MixedSeries, from: number): boolean => lowerBound(series.times, from) < series.times.length

function notAvailable(granularity: Granularity, ...chosen: readonly ChosenSeries[]): string {
  const what = chosen.some(({ kind }) => kind === 'no-chart-record') ? 'Chart data' : 'Init avg data'
  return `${what} (${granularity}) not available.`
}

/**
 * The chart ends where the card stands: with one live point, to which points as new as itself give way. History that is
 * more than a bucket newer than the last prices tells more than they do and stays as it is.
 */
function closedByLive(ratios: RatioSeries, live: LivePrices | null, bucket: number): RatioSeries {
  const ratio = live === null ? null : ratioOf(live.priceA, live.priceB)
  const end = ratios.times[ratios.times.length - 1]!
  if (live === null || ratio === null || end - live.time > bucket) return ratios
  return closeWith(ratios, live.time, ratio)
}

function lastOf({ upper, lower }: Bands): { high: number; low: number } | null {
  const high = upper.at(-1) ?? NaN
  const low = lower.at(-1) ?? NaN
  return Number.isFinite(high) && Number.isFinite(low) ? { high, low } : null
}
