import { quantile, standingOf } from '../../domain/standing'

/*
 * The drawn examples: made-up ratios, the same for every reader. The figures beside a drawing are computed from what it
 * draws, by the functions that compute the real ones.
 */

const DAYS = 90

const wave = (day: number, period: number, phase = 0): number => Math.sin((2 * Math.PI * day) / period + phase)

/** 90 daily closes of a pair that swings, and its current ratio as the last. */
export const SWINGS: readonly number[] = Array.from(
  { length: DAYS + 1 },
  (_, day) => 26 + 1.5 * wave(day, 34, 3.6) + 0.5 * wave(day, 11, 1) + 0.25 * wave(day, 4.3),
)

const closes = SWINGS.slice(0, -1)
export const SWINGS_NOW = SWINGS.at(-1)!
export const SWINGS_STANDING = standingOf({ a: closes, b: closes.map(() => 1) }, SWINGS_NOW)!

const logs = closes.map(Math.log)
const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
const deviation = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1))
/** The ratio that lies so many deviations from the average of ln(A / B). */
export const atDeviations = (z: number): number => Math.exp(mean + z * deviation)

/** A high threshold that the swings reach now and then. */
export const THRESHOLD = Math.round(10 * quantile(Float64Array.from(closes).toSorted(), 0.93)) / 10
/** Their average, as the threshold editor has it: the mean of the shown ratios. */
export const AVERAGE = SWINGS.reduce((sum, value) => sum + value, 0) / SWINGS.length

/** Days in which half of a distance is gone, in the drawing of it. */
export const HALF_LIFE = 6
/** A distance from the average that loses the same share every day. */
export const RETURN: readonly number[] = Array.from({ length: 25 }, (_, day) => 2 ** (-day / HALF_LIFE))

/** A ratio that nothing draws back, beside one that comes back. */
export const DRIFT: readonly number[] = SWINGS.map(
  (_, day) => 24 + 0.055 * day + 0.5 * wave(day, 47, 2) + 0.2 * wave(day, 13),
)

/** Two coins that mostly move together, each as a multiple of its first price. */
export const TOGETHER: readonly [readonly number[], readonly number[]] = [
  SWINGS.map((_, day) => 1 + 0.09 * wave(day, 41) + 0.03 * wave(day, 13, 1)),
  SWINGS.map((_, day) => 1.02 + 0.08 * wave(day, 41, 0.1) + 0.03 * wave(day, 15, 3)),
]

/** The indices at which the values reach `level`, each counted once until they have been back at the average. */
export function reaches(level: number): readonly number[] {
  const found: number[] = []
  let isBack = true
  for (const [day, value] of SWINGS.entries()) {
    if (value <= AVERAGE) isBack = true
    if (!isBack || value < level) continue
    found.push(day)
    isBack = false
  }
  return found
}

/** Spans in which the values lie at or beyond `level`. */
export function spansBeyond(level: number): readonly (readonly [number, number])[] {
  const spans: [number, number][] = []
  for (const [day, value] of SWINGS.entries()) {
    if (value < level) continue
    const last = spans.at(-1)
    if (last !== undefined && last[1] === day - 1) last[1] = day
    else spans.push([day, day])
  }
  return spans
}
