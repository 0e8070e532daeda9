import { DAY, MINUTE } from './granularity'
import { type RatioSeries, sliceRatios } from './ratio-series'

const SLOT = 15 * MINUTE
const MOST = DAY / SLOT

/**
 * The last 24 hours before `at` in at most 96 points, the last ratio of each quarter of an hour. The quarters are
 * those of the clock, so that only the newest point moves while prices come in.
 */
export function sparkline(recent: RatioSeries, at: number): RatioSeries {
  const { times, ratios } = sliceRatios(recent, at - DAY, at + 1)
  const kept: number[] = []
  for (let i = 0; i < times.length; i++) {
    const isLastOfSlot = i + 1 === times.length || Math.floor(times[i]! / SLOT) !== Math.floor(times[i + 1]! / SLOT)
    if (isLastOfSlot) kept.push(i)
  }
  // A day that starts inside a quarter touches 97 of them.
  const shown = kept.slice(-MOST)
  return {
    times: Float64Array.from(shown, (index) => times[index]!),
    ratios: Float64Array.from(shown, (index) => ratios[index]!),
  }
}
