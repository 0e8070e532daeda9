import { BUCKET_MS } from './granularity'
import { ratioOf } from './pair'
import { closeWith, joinRatios, type RatioSeries, sliceRatios } from './ratio-series'
import type { Series } from './series'
import { type HeldPrice, tickRatios, withHistoryInGaps } from './live-prices'
import { dayChange, sparkline, TREND_WINDOW, trendSteps } from './day-figures'

/** Known prices of a coin's last day. */
export interface CoinDay {
  readonly price: HeldPrice | undefined
  readonly ticks: Series
  /** Five-minute level. */
  readonly history: Series
}

export interface Summary {
  /** Fraction; null: not known. */
  readonly change24h: number | null
  /** Steps of one deviation, -3 to 3; null: too few points. */
  readonly trend: number | null
  /** At most 96 points of the last 24 h. */
  readonly spark: RatioSeries
}

/**
 * The day of a pair up to its current ratio; after a long time without prices, up to the last of them.
 * @param now milliseconds
 */
export function summarize(a: CoinDay, b: CoinDay, now: number): Summary {
  const current = ratioOf(a.price?.usd, b.price?.usd)
  const at = Math.min(now, a.price?.provider_time ?? now, b.price?.provider_time ?? now)
  const ticks = tickRatios(a.ticks, b.ticks)
  const history = joinRatios(a.history, b.history, BUCKET_MS.fiveMinutely)
  const known = withHistoryInGaps(ticks, history)
  const recent = current === null ? known : closeWith(known, at, current)
  return {
    change24h: dayChange(current, at, [ticks, history]),
    trend: trendSteps(sliceRatios(recent, at - TREND_WINDOW, at + 1).ratios),
    spark: sparkline(recent, at),
  }
}
