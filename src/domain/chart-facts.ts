import type { ChartColumns } from './chart'
import { formatAge } from './format-time'
import { type LivePrices, PRICES_STALE_AFTER } from './live-prices'
import { ratioOf } from './pair'
import { lastIndex } from './plot-columns'

/** Null: the chart has no ratio. */
export const lastRatio = (chart: Pick<ChartColumns, 'ratio'>): number | null =>
  chart.ratio[lastIndex(chart.ratio)] ?? null

/** Fraction from the chart's first ratio to `last`; null: not known. */
export function periodChange(chart: Pick<ChartColumns, 'ratio'>, last: number | null): number | null {
  const first = chart.ratio.find(Number.isFinite)
  return first === undefined || first === 0 || last === null ? null : last / first - 1
}

/** The newer of the chart's last ratio and the live ratio, which the chart follows a second later. */
export function currentRatio(
  chart: Pick<ChartColumns, 'times' | 'ratio'> | null,
  live: LivePrices | null,
): number | null {
  const drawnUntil = chart?.times.at(-1) ?? -Infinity
  const ratio = live === null || live.providerTime <= drawnUntil ? null : ratioOf(live.priceA, live.priceB)
  return ratio ?? (chart && lastRatio(chart))
}

interface FetchedChart extends Pick<ChartColumns, 'times'> {
  /** Milliseconds: when the older of the two coins' records last came from the server. */
  readonly fetchedAt: number
}

/**
 * The sentence about the data's age; null while it is fresh.
 * @param hasFailed the newest fetch of history
 * @param now milliseconds
 */
export function staleness(chart: FetchedChart, hasFailed: boolean, now: number): string | null {
  const newest = chart.times[chart.times.length - 1]
  if (newest === undefined) return null
  if (now - newest > PRICES_STALE_AFTER) return `Data from ${formatAge(now - newest)}`
  return hasFailed && now - chart.fetchedAt > PRICES_STALE_AFTER
    ? `History from ${formatAge(now - chart.fetchedAt)}`
    : null
}

/** Share of its period by which a chart may begin late; beyond it, the chart says since when it has prices. */
const SHORT_SHARE = 0.03

/** Milliseconds of the first point where the data does not reach back to the period's start; else null. */
export function shortSince({ times, from }: Pick<ChartColumns, 'times' | 'from'>): number | null {
  const [first] = times
  const last = times[times.length - 1]
  if (first === undefined || last === undefined) return null
  return first - from > (last - from) * SHORT_SHARE ? first : null
}
