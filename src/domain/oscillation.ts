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
  const isPeak = peaks(values, 1, look)
  const isTrough = peaks(values, -1, look)
  const found: Extreme[] = []
  for (let index = 0; index < values.length; index++) {
    if (isPeak[index] === 1) found.push({ index, value: values[index]!, kind: 'peak' })
    else if (isTrough[index] === 1) found.push({ index, value: values[index]!, kind: 'trough' })
  }
  return found
}

/**
 * Marks the peaks with 1. A stack of falling values knows of each the last one before it that is as large and the first
 * one after it that is larger. A window that reaches beyond the series makes no peak: what lies there may be larger.
 * @param sign -1 finds the troughs
 */
function peaks(values: Float64Array, sign: 1 | -1, look: number): Uint8Array {
  const marks = new Uint8Array(values.length)
  const stack = new Int32Array(values.length + 1)
  const stacked = new Float64Array(values.length + 1)
  let height = 0
  for (let i = 0; i <= values.length; i++) {
    const value = i < values.length ? sign * values[i]! : Infinity
    while (height > 0 && stacked[height - 1]! < value) {
      const index = stack[--height]!
      const asLargeAt = height > 0 ? stack[height - 1]! : -1
      if (asLargeAt < index - look && i > index + look) marks[index] = 1
    }
    stacked[height] = value
    stack[height++] = i
  }
  return marks
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
