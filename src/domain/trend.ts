import { HOUR } from './granularity'

/** How far back the trend of a card looks, milliseconds. */
export const TREND_WINDOW = 4 * HOUR
const MOST = 200
const LEAST = 5

/**
 * How far the current ratio lies from those before it, in steps of one sample deviation, -3 to 3.
 * @param ratios those of the last four hours, oldest first, the current one last
 * @returns null where there are fewer than five
 */
export function trendSteps(ratios: Float64Array): number | null {
  if (ratios.length < LEAST) return null
  const before = ratios.subarray(Math.max(0, ratios.length - MOST), ratios.length - 1)
  // Distances from the first value: a flat past then has a deviation of exactly 0.
  const pivot = before[0]!
  let sum = 0
  for (const ratio of before) sum += ratio - pivot
  const mean = sum / before.length
  let squares = 0
  for (const ratio of before) squares += (ratio - pivot - mean) ** 2
  const deviation = Math.sqrt(squares / (before.length - 1))
  if (deviation === 0) return 0
  const z = (ratios[ratios.length - 1]! - pivot - mean) / deviation
  return Math.sign(z) * Math.min(3, Math.floor(Math.abs(z))) || 0
}
