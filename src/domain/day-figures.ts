import { DAY, HOUR, MINUTE } from './granularity'
import { relativeChange } from './pair'
import { type RatioSeries, sliceRatios, valueNearest } from './ratio-series'

/** Milliseconds between 24 h ago and the point that stands for that moment, at most. */
const FARTHEST = 15 * MINUTE

/**
 * Change of the ratio over the 24 hours before `at`, as a fraction: from the point nearest to the moment 24 h ago, of two
 * equally near the earlier.
 * @param sources ratios from the tick buffer and from five-minute history; of equally near points the first source's counts
 */
export function dayChange(current: number | null, at: number, sources: readonly RatioSeries[]): number | null {
  const distance = (point: { readonly time: number }): number => Math.abs(point.time - (at - DAY))
  const points = sources.flatMap((source) => valueNearest(source, at - DAY) ?? [])
  const [nearest] = points.filter((point) => distance(point) <= FARTHEST).toSorted((a, b) => distance(a) - distance(b))
  return relativeChange(current, nearest?.ratio ?? null)
}

/** How far back the trend of a card looks, milliseconds. */
export const TREND_WINDOW = 4 * HOUR
/** Points that make a trend. */
const SHORTEST_TREND = 5
const LONGEST_TREND = 200

/**
 * How far the current ratio lies from those before it, in steps of one sample deviation, -3 to 3.
 * @param ratios those of TREND_WINDOW, oldest first, the current one last
 * @returns null where there are fewer than five
 */
export function trendSteps(ratios: Float64Array): number | null {
  if (ratios.length < SHORTEST_TREND) return null
  const before = ratios.subarray(Math.max(0, ratios.length - LONGEST_TREND), ratios.length - 1)
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

const SLOT = 15 * MINUTE

const MAX_POINTS = DAY / SLOT

/**
 * The last 24 hours before `at` in at most 96 points, the last ratio of each quarter of an hour. The quarters are
 * those of the clock, so that only the newest point moves while prices come in.
 */
export function sparkline(recent: RatioSeries, at: number): RatioSeries {
  const { times, ratios } = sliceRatios(recent, at - DAY, at + 1)
  const slotOf = (index: number): number => Math.floor(times[index]! / SLOT)
  // NaN, the slot after the last point, differs from every slot.
  const kept = [...times.keys()].filter((index) => slotOf(index) !== slotOf(index + 1))
  // A day that starts inside a quarter touches 97 of them.
  const shown = kept.slice(-MAX_POINTS)
  return {
    times: Float64Array.from(shown, (index) => times[index]!),
    ratios: Float64Array.from(shown, (index) => ratios[index]!),
  }
}
