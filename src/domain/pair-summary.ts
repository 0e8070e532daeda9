import { dayChange } from './change'
import { BUCKET_MS } from './granularity'
import { ratioOf } from './ratio'
import { closeWith, joinRatios, type RatioSeries, sliceRatios } from './ratio-series'
import type { Series } from './series'
import { sparkline } from './sparkline'
import { type HeldPrice, tickRatios, withHistoryInGaps } from './ticks'
import { TREND_WINDOW, trendSteps } from './trend'

/** What is known of a coin's last day. */
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
 * The last day of a pair, as seen from its current ratio: where prices have not come in for long, the day before them.
 * @param now milliseconds
 */
export function summarize(a: CoinDay, b: CoinDay, now: number): Summary {
  const current = ratioOf(a.price?.usd, b.price?.usd)
  const at = Math.min(now, a.price?.seen_until ?? now, b.price?.seen_until ?? now)
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
