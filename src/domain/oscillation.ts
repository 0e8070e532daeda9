import { type Extreme, takingTurns, withoutSmallSwings } from './swings'

export interface OscillationRules {
  /** Points on either side among which a peak is the largest; a short series looks less far. */
  readonly lookWindow: number
  /** Swings smaller than this share of the mean are noise, per cent. */
  readonly minimumSwing: number
}

/** Swings smaller than this share of the series' range are noise as well. */
const SHARE_OF_RANGE = 0.25
const NARROWEST_LOOK = 3

/**
 * Estimated dominant oscillation period by peaks and troughs: the median time between extremes of the same kind that
 * remain when small swings are merged away. O(n) whatever the window.
 * @param times ascending, milliseconds
 * @returns milliseconds, or null where no two extremes of a kind remain
 */
export function estimatePeriod(times: Float64Array, values: Float64Array, rules: OscillationRules): number | null {
  const look = Math.max(NARROWEST_LOOK, Math.min(rules.lookWindow, Math.floor(values.length / 20)))
  const { mean, range } = spread(values)
  const least = Math.max((mean * rules.minimumSwing) / 100, range * SHARE_OF_RANGE)
  const kept = withoutSmallSwings(takingTurns(extremes(values, look)), least)
  return median(kept.slice(2).map((extreme, i) => times[extreme.index]! - times[kept[i]!.index]!))
}

/** The points that are the largest or the smallest of [i - look, i + look], of equals the first; oldest first. */
function extremes(values: Float64Array, look: number): Extreme[] {
  const peaks = largest(values, 1, look).map((index): Extreme => ({ index, value: values[index]!, kind: 'peak' }))
  const troughs = largest(values, -1, look).map((index): Extreme => ({ index, value: values[index]!, kind: 'trough' }))
  return [...peaks, ...troughs].toSorted((one, other) => one.index - other.index)
}

/**
 * The indices of the peaks. Whatever is the largest of its surroundings is the first largest of its block of `look` + 1
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

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
