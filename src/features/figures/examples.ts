import { backtest } from '../../domain/backtest'
import { DEFAULT_SWAP_COST } from '../../domain/swap-cost'
import { quantile, standingOf } from '../../domain/standing'

/*
 * The drawn examples: made-up ratios, the same for every reader. The figures beside a drawing are computed from what it
 * draws, by the functions that compute the real ones where there are any.
 */

const DAYS = 90

const wave = (day: number, period: number, phase = 0): number => Math.sin((2 * Math.PI * day) / period + phase)

/** 90 daily closes of a pair that swings, and its current ratio as the last. */
export const SWINGS: readonly number[] = Array.from(
  { length: DAYS + 1 },
  (_, day) => 26 + 1.5 * wave(day, 34, 3.6) + 0.5 * wave(day, 11, 1) + 0.25 * wave(day, 4.3),
)
export const SWINGS_NOW = SWINGS.at(-1)!

/** Place of the last value among those before it. */
function standing(values: readonly number[]) {
  const closes = values.slice(0, -1)
  return standingOf({ a: closes, b: closes.map(() => 1) }, values.at(-1)!)!
}
export const SWINGS_STANDING = standing(SWINGS)

/** Mean and sample deviation of the logarithms. */
function momentsOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const logs = values.filter(Number.isFinite).map(Math.log)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  return {
    mean,
    deviation: Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1)),
  }
}
const swings = momentsOf(SWINGS.slice(0, -1))
/** The ratio that lies so many deviations from the average of ln(A / B). */
export const atDeviations = (z: number): number => Math.exp(swings.mean + z * swings.deviation)

/** A course with one close that the next day took back, and by how much it stood out. */
export const WRONG_AT = 26
export const WITH_WRONG_CLOSE: readonly number[] = SWINGS.slice(0, 50).map((value, day) =>
  day === WRONG_AT ? 1.3 * value : value,
)
export const WRONG_BY = WITH_WRONG_CLOSE[WRONG_AT]! / SWINGS[WRONG_AT]! - 1

/** Closes that end ten days before the price; NaN: not known. */
export const LATE_CLOSES: readonly number[] = SWINGS.map((value, day) => (day >= 80 && day < DAYS ? NaN : value))
export const LATE_STANDING = standing(LATE_CLOSES)

/** Two coins of which one rose in the end, each as a multiple of its average of 90 days. */
export const ONE_MOVED = [
  SWINGS.map((_, day) => 1 + 0.04 * wave(day, 41) + 0.02 * wave(day, 13, 1) + 0.02 * Math.max(0, day - 76)),
  SWINGS.map((_, day) => 1 + 0.03 * wave(day, 41, 0.4) + 0.02 * wave(day, 15, 3)),
].map((values) => values.map((value) => value / Math.exp(momentsOf(values.slice(0, -1)).mean))) as [number[], number[]]
export const ONE_MOVED_LEGS = { a: Math.log(ONE_MOVED[0].at(-1)!), b: Math.log(ONE_MOVED[1].at(-1)!) }

/** A wrapped coin in the coin that it stands for. */
export const PEGGED: readonly number[] = SWINGS.map(
  (_, day) => 1 + 0.0004 * wave(day, 7) + 0.0002 * wave(day, 3.1) + (day === DAYS ? 0.0012 : 0),
)
export const PEGGED_STANDING = standing(PEGGED)
export const PEGGED_AWAY = PEGGED.at(-1)! / Math.exp(momentsOf(PEGGED.slice(0, -1)).mean) - 1
export const SWAP_THERE_AND_BACK = 1 - (1 - DEFAULT_SWAP_COST) ** 2

/** A high threshold that the swings reach now and then. */
export const THRESHOLD = Math.round(10 * quantile(Float64Array.from(SWINGS).toSorted(), 0.93)) / 10

/** Days in which half of a distance is gone, in the drawing of it. */
export const HALF_LIFE = 6
/** A distance from the average that loses the same share every day. */
export const RETURN: readonly number[] = Array.from({ length: 25 }, (_, day) => 2 ** (-day / HALF_LIFE))

/** A ratio that drifts, beside one that swings. */
export const DRIFT: readonly number[] = SWINGS.map(
  (_, day) => 24 + 0.055 * day + 0.5 * wave(day, 47, 2) + 0.2 * wave(day, 13),
)

/** Two coins that mostly move together, each as a multiple of its first price. */
export const TOGETHER: readonly [readonly number[], readonly number[]] = [
  SWINGS.map((_, day) => 1 + 0.09 * wave(day, 41) + 0.03 * wave(day, 13, 1)),
  SWINGS.map((_, day) => 1.02 + 0.08 * wave(day, 41, 0.1) + 0.03 * wave(day, 15, 3)),
]

/** The lines of the backtest, and what rotating at them does with the swings, a day a point. */
export const SWAP_LEVELS = { high: atDeviations(1.3), low: atDeviations(-1.1) }
export const SWAPPED = backtest({
  times: Float64Array.from(SWINGS.keys()),
  ratios: Float64Array.from(SWINGS),
  levels: { kind: 'thresholds', ...SWAP_LEVELS },
  cost: DEFAULT_SWAP_COST,
})!

/** From a swap of A for B at the first ratio on. */
export const BREAK_EVEN_COURSE: readonly number[] = Array.from(
  { length: 31 },
  (_, hour) => 28 - 0.014 * hour + 0.07 * (wave(hour, 13, 0.6) - wave(0, 13, 0.6)),
)

/** The indices at which the values reach `level`, each counted once until they have been back at the average. */
export function reaches(level: number): readonly number[] {
  const found: number[] = []
  let isBack = true
  for (const [day, value] of SWINGS.entries()) {
    if (value <= atDeviations(0)) isBack = true
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
