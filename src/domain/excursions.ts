import { type CurrentPrices, MIN_WINDOW_DAYS, type PairCloses, type StatisticWindow } from './pair-statistics'

/** Sample deviations from the rolling mean beyond which an excursion begins. */
const EXCURSION_Z = 2
/** Days within which an excursion that comes back has "come back". */
export const COMES_BACK_WITHIN = 30

/** How the excursions of a pair to one side ended, those that have ended. */
export interface Excursions {
  readonly count: number
  /** Those that came back to the rolling mean within 30 days. */
  readonly cameBack: number
  /** Median days from the first day beyond to the day back at the mean; null: none has ended. */
  readonly medianDays: number | null
  /** Furthest that one went on in its direction after its first day beyond, as a fraction of that day's ratio; null: none. */
  readonly worstMove: number | null
  /** An excursion is under way; it counts as none of the above. */
  readonly isUnderWay: boolean
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
  side: 'high' | 'low',
): Excursions | null {
  const sign = side === 'high' ? 1 : -1
  const days = Float64Array.from(a, (price, day) => sign * Math.log(price / b[day]!))
  const x = Float64Array.of(...days, sign * Math.log(current.a / current.b))
  const durations: number[] = []
  const moves: number[] = []
  let begun: { readonly day: number; readonly x: number; furthest: number } | null = null
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
      if (deviation > 0 && now - mean > EXCURSION_Z * deviation) begun = { day, x: now, furthest: now }
    } else if (now <= mean) {
      durations.push(day - begun.day)
      moves.push(Math.abs(Math.expm1(sign * (begun.furthest - begun.x))))
      begun = null
    } else {
      begun.furthest = Math.max(begun.furthest, now)
    }
  }
  if (!isJudged) return null
  return {
    count: durations.length,
    cameBack: durations.filter((length) => length <= COMES_BACK_WITHIN).length,
    medianDays: medianOf(durations),
    worstMove: moves.length === 0 ? null : Math.max(...moves),
    isUnderWay: begun !== null,
  }
}

/** Null: there are none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const upper = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[upper]! : (sorted[upper - 1]! + sorted[upper]!) / 2
}
