import type { PeriodRules } from './chart-periods'
import { medianOf } from './excursions'
import { type Extreme, takingTurns, withoutSmallSwings } from './swings'

/** Swings of a noisy series smaller than this share of its range are noise too, or a ripple would halve the period. */
const SHARE_OF_RANGE = 0.25
/** Noise makes swings of up to this many of its standard deviations. */
const NOISE_REACH = 8
const NARROWEST_LOOK = 3

/**
 * Estimated dominant oscillation period by peaks and troughs (zigzag): the median time between extremes of the same kind
 * that remain when small swings are merged away. Extremes and swings are those of the series without its straight trend:
 * a drift is no swing, and would make the swings on it too small beside the series' range. On clean data the specified
 * minimum decides which swings are small; beside noise a quarter of the range does. O(n) whatever the window.
 * @param times ascending, milliseconds
 * @returns milliseconds; null: no two extremes of a kind remain
 */
export function estimatePeriod(
  times: Float64Array,
  values: Float64Array,
  rules: Pick<PeriodRules, 'lookWindow' | 'minimumSwing'>,
): number | null {
  const look = Math.max(NARROWEST_LOOK, Math.min(rules.lookWindow, Math.floor(values.length / 20)))
  const level = withoutTrend(times, values)
  const { mean, range } = spread(level)
  const noise = Math.min(range * SHARE_OF_RANGE, NOISE_REACH * noiseOf(level))
  const least = Math.max((mean * rules.minimumSwing) / 100, noise)
  const kept = withoutSmallSwings(takingTurns(extremes(level, look)), least)
  return medianOf(kept.slice(2).map((extreme, i) => times[extreme.index]! - times[kept[i]!.index]!))
}

/** Standard deviation of a fourth difference of independent values, each of deviation 1: that of (1, -4, 6, -4, 1). */
const FOURTH_DIFFERENCE = Math.sqrt(70)
/** Mean distance from the mean of a normal distribution of deviation 1. */
const MEAN_DEVIATION = Math.sqrt(2 / Math.PI)

/**
 * Standard deviation of the noise, from fourth differences (von Neumann's successive differences, of the fourth order):
 * a wave of twelve points or more leaves less than a hundredth of its amplitude in them.
 */
function noiseOf(values: Float64Array): number {
  const count = values.length - 4
  if (count < 1) return 0
  let sum = 0
  for (let i = 2; i < values.length - 2; i++) {
    sum += Math.abs(values[i - 2]! - 4 * values[i - 1]! + 6 * values[i]! - 4 * values[i + 1]! + values[i + 2]!)
  }
  return sum / count / FOURTH_DIFFERENCE / MEAN_DEVIATION
}

/** The points that are the largest or the smallest of [i - look, i + look], of equals the first; oldest first. */
function extremes(values: Float64Array, look: number): Extreme[] {
  const peaks = largest(values, 1, look).map((index): Extreme => ({ index, value: values[index]!, kind: 'peak' }))
  const troughs = largest(values, -1, look).map((index): Extreme => ({ index, value: values[index]!, kind: 'trough' }))
  return [...peaks, ...troughs].toSorted((one, other) => one.index - other.index)
}

/**
 * The indices of the peaks. The largest of its surroundings is the first largest of its block of `look` + 1
 * points: one candidate a block has to be looked at. A window that reaches beyond the series makes no peak: what lies
 * there may be larger.
 * @param sign -1 finds the troughs
 */
function largest(values: Float64Array, sign: 1 | -1, look: number): number[] {
  const found: number[] = []
  for (let start = 0; start < values.length; start += look + 1) {
    const end = Math.min(start + look + 1, values.length)
    let index = start
    for (let i = start + 1; i < end; i++) if (sign * values[i]! > sign * values[index]!) index = i
    const isInside = index >= look && index + look < values.length
    if (isInside && isLargest(values, sign, index, look)) found.push(index)
  }
  return found
}

function isLargest(values: Float64Array, sign: 1 | -1, index: number, look: number): boolean {
  const value = sign * values[index]!
  for (let i = index - look; i < index; i++) if (sign * values[i]! >= value) return false
  for (let i = index + 1; i <= index + look; i++) if (sign * values[i]! > value) return false
  return true
}

function spread(values: Float64Array): { mean: number; range: number } {
  let least = Infinity
  let most = -Infinity
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value < least) least = value
    if (value > most) most = value
    sum += value
  }
  return { mean: sum / values.length, range: most - least }
}

/**
 * Each value as a multiple of the straight line through the logarithms (ordinary least squares over time), so that a
 * steady drift becomes 1 everywhere. O(n). A series with a value that has no logarithm is returned as it is.
 * @param times ascending, milliseconds
 */
function withoutTrend(times: Float64Array, values: Float64Array): Float64Array {
  const logs = values.map(Math.log)
  const [first, meanLog] = [times[0] ?? 0, mean(logs)]
  if (!Number.isFinite(meanLog)) return values
  const middle = mean(times.map((time) => time - first))
  let covariance = 0
  let variance = 0
  for (let i = 0; i < times.length; i++) {
    const distance = times[i]! - first - middle
    covariance += distance * (logs[i]! - meanLog)
    variance += distance * distance
  }
  const slope = variance === 0 ? 0 : covariance / variance
  return logs.map((log, i) => Math.exp(log - meanLog - slope * (times[i]! - first - middle)))
}

function mean(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
