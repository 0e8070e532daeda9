import { BANDS_REACH } from './bands'
import type { ChartColumns } from './chart'
import { averagePoints, averageWeight } from './ema'
import type { LivePrices } from './live-prices'
import { deviationWith } from './moments'
import { estimatePeriod } from './oscillation'
import { PERIOD_RULES } from './period'
import { ratioOf } from './ratio'
import { endingWith } from './series'

/**
 * The chart with its last point moved to the newest prices: what computing it anew from the same history would give,
 * at the price of copying its columns.
 * @param now milliseconds
 * @returns null where the chart has to be computed anew: the point has no place, or a point leaves at the other end
 */
export function extendChart<Chart extends ChartColumns>(chart: Chart, live: LivePrices, now: number): Chart | null {
  const slot = chart.live
  const ratio = ratioOf(live.priceA, live.priceB)
  if (slot === null || ratio === null || live.source !== slot.source) return null
  if (live.time <= slot.after || live.time > slot.until) return null

  const rules = PERIOD_RULES[slot.period]
  const from = Math.min(now, Math.max(live.time, slot.knownUntil)) - rules.duration
  if (from < chart.from || from > slot.fromUntil) return null
  const before = chart.times.length - 1
  const times = endingWith(chart.times, before, live.time)
  if (averagePoints(times, rules.averageDays) !== chart.averagePoints) return null

  const ratios = endingWith(chart.ratio, before, ratio)
  const average = slot.averageBefore + averageWeight(chart.averagePoints) * (ratio - slot.averageBefore)
  const away = BANDS_REACH * deviationWith(slot.window, ratio)
  const [high, low] = [average + away, average - away]
  return {
    ...chart,
    times,
    ratio: ratios,
    ema: endingWith(chart.ema, before, average),
    upper: endingWith(chart.upper, before, high),
    lower: endingWith(chart.lower, before, low),
    from,
    estimatedPeriod: estimatePeriod(times, ratios, rules),
    currentBands: Number.isFinite(away) ? { high, low } : null,
  }
}
