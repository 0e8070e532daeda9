import { medianOf } from './excursions'
import { outwards, type RangeEnd } from './extreme'
import type { RatioSeries } from './ratio-series'

/** How often the shown ratios reached a threshold, and what came of it. */
interface Touches {
  /** Times that the ratio reached the threshold from the other side, the one under way among them. */
  readonly count: number
  /** Those after which the ratio was back at the average. */
  readonly cameBack: number
  /** Median milliseconds from reaching the threshold to being back at the average; null: none came back. */
  readonly medianBack: number | null
  /** Milliseconds since 1970 at which the threshold was last reached; null: never. */
  readonly last: number | null
  /** True: the ratio has reached the threshold and has not been back since; this time has neither come back nor stayed. */
  readonly isUnderWay: boolean
  /** Share of the time from the first to the last point at which the ratio stood at or beyond the threshold, 0 to 1. */
  readonly shareBeyond: number
}

/**
 * Times that the ratio was at or beyond `threshold` (equality counts): one begins where the ratio reaches it and ends where
 * the ratio is back at the average, the mean of all logarithms, and on the near side of the threshold if that lies beyond the
 * average. A ratio that trembles around the threshold counts once. None begins before the ratio has been on the near side, as
 * swaps and alerts have it. A point's ratio holds until the next point; that of the last has no time, unless the series is that
 * one point.
 */
export function touchesOf({ times, ratios }: RatioSeries, end: RangeEnd, threshold: number): Touches {
  const sign = outwards(end)
  const positive = ratios.filter((ratio) => ratio > 0)
  const mean = (sign * positive.reduce((sum, ratio) => sum + Math.log(ratio), 0)) / positive.length
  const level = sign * threshold
  const last = ratios.length - 1
  const durations: number[] = []
  let count = 0
  let beyond = 0
  let reached: number | null = null
  let isUnderWay = false
  let isArmed = false
  for (let i = 0; i <= last; i++) {
    const ratio = sign * ratios[i]!
    const isBeyond = ratio >= level
    if (isBeyond && i < last) beyond += times[i + 1]! - times[i]!
    if (isArmed && isBeyond) {
      isArmed = false
      isUnderWay = true
      reached = times[i]!
      count++
    } else if (isUnderWay && !isBeyond && sign * Math.log(ratios[i]!) <= mean) {
      durations.push(times[i]! - reached!)
      isUnderWay = false
    }
    isArmed ||= !isBeyond && !isUnderWay
  }
  const span = last < 0 ? 0 : times[last]! - times[0]!
  return {
    count,
    cameBack: durations.length,
    medianBack: medianOf(durations),
    last: reached,
    isUnderWay,
    shareBeyond: span > 0 ? beyond / span : Number(last >= 0 && sign * ratios[0]! >= level),
  }
}
