import { seedOf } from './ema'
import { earliestLive, type LivePlace } from './live-place'
import { type Moments, momentsOf } from './moments'
import type { PairSeries } from './pair-series'
import { type Period, PERIOD_RULES } from './period'
import type { RatioSeries } from './ratio-series'

/**
 * The place of a chart's last point, which stands for the latest prices: what is needed to move it without the history
 * behind the chart, and how far it may move before that history has to be read again. Times in milliseconds.
 */
export interface LiveSlot {
  readonly period: Period
  /** Of the prices and of the history. */
  readonly source: string
  /** The newest point of the history. */
  readonly knownUntil: number
  /** The live point stands after this time, exclusive: older prices would add history in its place. */
  readonly after: number
  /** And up to this time, inclusive: it hides the history from there on. */
  readonly until: number
  /** The chart's left edge may move up to here, inclusive, before a point leaves the chart or the window before it. */
  readonly fromUntil: number
  /** The moving average just before the live point. */
  readonly averageBefore: number
  /** The last N - 1 ratios before it: how many there are, their mean, and the sum of squared distances from it. */
  readonly window: Moments
}

interface SlotInput {
  readonly period: Period
  readonly pair: PairSeries
  /** Ratios of the window before the chart. */
  readonly initial: RatioSeries
  /** Ratios of the chart, without the live point. */
  readonly history: RatioSeries
  readonly place: LivePlace
  /** N of the moving average. */
  readonly points: number
  readonly ema: Float64Array
}

/** Null where the live point is among the first N of a young coin: the average of the whole chart starts from those. */
export function liveSlot({ period, pair, initial, history, place, points, ema }: SlotInput): LiveSlot | null {
  const { index, prices } = place
  if (initial.ratios.length === 0 && index < points) return null
  const { initialAverage } = PERIOD_RULES[period]
  return {
    period,
    source: prices.source,
    knownUntil: pair.knownUntil,
    // Times are whole milliseconds.
    after: Math.max(index > 0 ? history.times[index - 1]! : -Infinity, earliestLive(history.times, period) - 1),
    until: history.times[index] ?? Infinity,
    fromUntil: Math.min(
      history.times[0]!,
      pair.b.times.at(-1)!,
      (initial.times[0] ?? Infinity) + initialAverage,
      // A coin's first point may stand before the window: without it a coarser level may be heard.
      ...[pair.a, pair.b].map(({ times, widths }) => times[0]! + widths[0]! + initialAverage),
      Math.min(pair.a.sameBefore, pair.b.sameBefore) - 1 + initialAverage,
    ),
    averageBefore: index > 0 ? ema[index - 1]! : seedOf(initial.ratios, history.ratios, points),
    window: momentsOf(lastBefore(initial.ratios, history.ratios.subarray(0, index), points - 1)),
  }
}

/** The last `count` of both, one after the other. */
function lastBefore(first: Float64Array, second: Float64Array, count: number): Float64Array {
  if (second.length >= count) return second.subarray(second.length - count)
  const older = first.subarray(Math.max(0, first.length - (count - second.length)))
  const all = new Float64Array(older.length + second.length)
  all.set(older)
  all.set(second, older.length)
  return all
}
