import { type CurrentPrices, MIN_WINDOW_DAYS, type PairCloses, type StatisticWindow } from './pair-statistics'
import { outwards, type RangeEnd } from './extreme'

/** Sample deviations from the rolling mean beyond which an excursion begins. */
const EXCURSION_Z = 2
/** Days within which an excursion that comes back has "come back". */
export const COMES_BACK_WITHIN = 30

/**
 * Shares of the excursions of a Gaussian random walk of a year that are back within 30 days, counted as those of a pair:
 * the mean comes to the ratio as much as the ratio to the mean. The scale of the steps does not enter. Recomputed by
 * `npm run bench -- wanderers`.
 */
export const WANDERER_SHARE: Readonly<Record<StatisticWindow, number>> = {
  30: 0.788,
  90: 0.442,
  180: 0.391,
  365: 0.396,
}
/** With fewer known days a series cannot be compared with a wandering one of a year. */
const MIN_DAYS_OF_CHANCE = 300

/** How the excursions of a pair to one side ended. */
export interface Excursions {
  /** Those that began at least 30 days ago, whether or not they have ended. */
  readonly count: number
  /** Of `count`: those back at the rolling mean within 30 days. */
  readonly cameBack: number
  /** Those that began later: of them it is not known yet. */
  readonly younger: number
  /** Share that would have come back if the ratio wandered freely; null: too few days are known. */
  readonly chance: number | null
  /**
   * Of `count`: median days from the first day beyond to the day back at the mean, one that has not ended taken as the
   * longest; null: there are none, or the median one has not ended.
   */
  readonly medianDays: number | null
  /** Of `count`: furthest that one went on in its direction after its first day, as a fraction of that day's ratio; null: none. */
  readonly worstMove: number | null
  /** The last one has not ended, whenever it began. */
  readonly isUnderWay: boolean
}

/** Days are indices; `end` Infinity: it has not ended. `move`: logarithm of how far it went on. */
interface Excursion {
  readonly begin: number
  readonly end: number
  readonly move: number
}

/**
 * Excursions beyond two deviations of the `window` days before each day: one begins on the first day beyond and ends on the
 * day on which x is back at that day's rolling mean. The current ratio is the last day.
 * @returns null: no day has enough days before it
 */
export function excursionsOf(
  { a, b }: PairCloses,
  current: CurrentPrices,
  window: StatisticWindow,
  end: RangeEnd,
): Excursions | null {
  const sign = outwards(end)
  const days = Float64Array.from(a, (price, day) => sign * Math.log(price / b[day]!))
  const x = Float64Array.of(...days, sign * Math.log(current.a / current.b))
  const all = excursionsUpwards(x, window)
  if (all === null) return null
  const old = all.filter(({ begin }) => x.length - 1 - begin >= COMES_BACK_WITHIN)
  const durations = old.map(({ begin, end }) => end - begin)
  const median = medianOf(durations)
  return {
    count: old.length,
    cameBack: durations.filter((length) => length <= COMES_BACK_WITHIN).length,
    younger: all.length - old.length,
    chance: x.filter(Number.isFinite).length < MIN_DAYS_OF_CHANCE ? null : WANDERER_SHARE[window],
    medianDays: median === Infinity ? null : median,
    worstMove: old.length === 0 ? null : Math.max(...old.map(({ move }) => Math.abs(Math.expm1(sign * move)))),
    isUnderWay: all.at(-1)?.end === Infinity,
  }
}

/** @param x logarithms of a day each, NaN: not known */
function excursionsUpwards(x: Float64Array, window: number): readonly Excursion[] | null {
  const found: Excursion[] = []
  let begun: { readonly begin: number; move: number } | null = null
  let isJudged = false
  for (let day = 0; day < x.length; day++) {
    const before = x.slice(Math.max(0, day - window), day).filter(Number.isFinite)
    const now = x[day]!
    if (before.length < MIN_WINDOW_DAYS || !Number.isFinite(now)) continue
    isJudged = true
    const mean = before.reduce((sum, value) => sum + value, 0) / before.length
    const squares = before.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    const deviation = Math.sqrt(squares / (before.length - 1))
    if (begun === null) {
      if (deviation > 0 && now - mean > EXCURSION_Z * deviation) begun = { begin: day, move: 0 }
    } else if (now <= mean) {
      found.push({ ...begun, end: day })
      begun = null
    } else {
      begun.move = Math.max(begun.move, now - x[begun.begin]!)
    }
  }
  if (begun !== null) found.push({ ...begun, end: Infinity })
  return isJudged ? found : null
}

/** Null: there are none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const upper = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[upper]! : (sorted[upper - 1]! + sorted[upper]!) / 2
}
