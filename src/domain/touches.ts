import { medianOf } from './excursions'
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
 * the ratio is back at the mean of all the ratios, and on the near side of the threshold if that lies beyond the mean. A
 * ratio that trembles around the threshold counts once. A series that begins beyond does not show the threshold being reached: that
 * time is not counted, and the next can begin after its end. A point's ratio holds until the next point; that of the last has no time,
 * unless the series is that one point.
 */
export function touchesOf({ times, ratios }: RatioSeries, side: 'high' | 'low', threshold: number): Touches {
  const sign = side === 'high' ? 1 : -1
  const mean = sign * (ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length)
  const level = sign * threshold
  const last = ratios.length - 1
  const durations: number[] = []
  let count = 0
  let beyond = 0
  let reached: number | null = null
  let isUnderWay = false
  let isOut = last >= 0 && sign * ratios[0]! >= level
  for (let i = 0; i <= last; i++) {
    const ratio = sign * ratios[i]!
    const isBeyond = ratio >= level
    if (isBeyond && i < last) beyond += times[i + 1]! - times[i]!
    if (!isOut && isBeyond) {
      isOut = true
      isUnderWay = true
      reached = times[i]!
      count++
    } else if (isOut && !isBeyond && ratio <= mean) {
      if (isUnderWay) durations.push(times[i]! - reached!)
      isOut = false
      isUnderWay = false
    }
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
