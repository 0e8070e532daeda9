import { backtest, type Swap } from './backtest'
import { DAY } from './granularity'
import type { RatioSeries } from './ratio-series'
import { lowerBound } from './series'

/** Sample deviations of ln(A / B) from its mean at which a rule swaps: above it, and below it. */
export interface SwapReach {
  readonly high: number
  readonly low: number
}

export interface WalkOptions {
  /** Milliseconds: the first step begins at `from`, and lines that are drawn from a window hold for a step. */
  readonly from: number
  readonly window: number
  readonly step: number
  readonly k: SwapReach
  /** Share of the amount that each swap costs. */
  readonly cost: number
  /** The ratios that lines are drawn from, evenly spaced, with those before `from`; absent: those of the series. */
  readonly past?: RatioSeries
}

/** A rule that knew at each moment only what lay before it. */
export interface Walk {
  /** Milliseconds at which the first step began whose window was known. */
  readonly from: number
  readonly swaps: readonly Swap[]
  /** Units of A above the one that it began with; `late`: with each swap at its `worst`. */
  readonly gain: number
  readonly late: number
}

/** With fewer round trips, two swaps each, a walk shows chance. */
const LEAST_ROUND_TRIPS = 5
export const isTooFew = (swaps: number): boolean => swaps < 2 * LEAST_ROUND_TRIPS

/** Window and step of a period's walk, milliseconds. */
export function walkPlan(period: number): Pick<WalkOptions, 'window' | 'step'> {
  if (period >= 90 * DAY) return { window: 90 * DAY, step: 30 * DAY }
  return { window: (3 * period) / 10, step: period / 10 }
}

/** Fewer points in a window draw no lines. */
const LEAST_POINTS = 10
/** Share of a window that may be missing at its old end. */
const LARGEST_LACK = 0.1

interface Moments {
  readonly mean: number
  /** Sample deviation (n − 1). */
  readonly deviation: number
}

/** Of the logarithms, about the first of them, so that a pegged pair keeps its digits; null: too few, or all are equal. */
export function logMoments(ratios: Float64Array): Moments | null {
  const known = ratios.filter((ratio) => ratio > 0)
  if (known.length < LEAST_POINTS) return null
  const first = known[0]!
  const logs = known.map((ratio) => Math.log(ratio / first))
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1))
  return deviation > 0 ? { mean: Math.log(first) + mean, deviation } : null
}

/** The rule of two thresholds: their distance from the mean of the ratios, in deviations; null: these have none. */
export function reachOf(
  ratios: Float64Array,
  { high, low }: { readonly high: number; readonly low: number },
): SwapReach | null {
  const moments = logMoments(ratios)
  if (moments === null) return null
  const { mean, deviation } = moments
  return { high: (Math.log(high) - mean) / deviation, low: (mean - Math.log(low)) / deviation }
}

/**
 * Swaps at lines that are drawn anew at each step from the window that ended strictly before it: exp(m + k·s) and exp(m − k·s),
 * with m and s the mean and sample deviation of ln(A / B). The held coin is carried over. A point costs the same whatever the
 * window, as long as the window is a fixed number of steps.
 * @returns null: no step has a known window
 */
export function walkForward({ times, ratios }: RatioSeries, options: WalkOptions): Walk | null {
  const { from, window, step, k, cost, past = { times, ratios } } = options
  const high = new Float64Array(times.length).fill(NaN)
  const low = high.slice()
  let firstStep: number | null = null
  let start = NaN
  let lines: Moments | null = null
  for (let i = lowerBound(times, from); i < times.length; i++) {
    const begun = from + step * Math.floor((times[i]! - from) / step)
    if (begun !== start) {
      start = begun
      lines = linesBefore(past, start, window)
      if (lines !== null) firstStep ??= start
    }
    if (lines === null) continue
    high[i] = Math.exp(lines.mean + k.high * lines.deviation)
    low[i] = Math.exp(lines.mean - k.low * lines.deviation)
  }
  const made = firstStep === null ? null : backtest({ times, ratios, levels: { kind: 'steps', high, low }, cost })
  if (made === null) return null
  return { from: firstStep!, swaps: made.swaps, gain: made.rotating.a - 1, late: made.late.a - 1 }
}

function linesBefore({ times, ratios }: RatioSeries, start: number, window: number): Moments | null {
  if (!(times[0]! <= start - (1 - LARGEST_LACK) * window)) return null
  return logMoments(ratios.subarray(lowerBound(times, start - window), lowerBound(times, start)))
}
