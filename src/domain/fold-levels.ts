import { averageBuckets, LEVEL_SPAN, mergeBuckets } from './aggregation'
import { BUCKET_MS, GRANULARITIES, type Granularity } from './granularity'
import { emptySeries, lowerBound, type Series, sliceSeries } from './series'
import { TICK_BUFFER } from './ticks'

/** One level of a coin's history as it is stored. */
export interface Level {
  readonly series: Series
  /** Up to this time (exclusive, milliseconds) the points are the server's. */
  readonly serverUntil: number
}
export type Levels = Readonly<Partial<Record<Granularity, Level>>>

/**
 * Folds ticks into the five-minute level and each level into the next coarser one:
 *
 *     ticks (36 h) → fiveMinutely (3 d) → thirtyMinutely (40 d) → hourly (120 d) → daily (3 y)
 *
 * A bucket is written anew as long as everything that ever fell in it is still there; one that has lost a part to the
 * bound of its finer level stays as it was. A bucket of which the server has spoken stays the server's. A bucket stands at
 * its start, so that no bucket is made of prices that were all seen later: a minute of ticks makes no day.
 * @returns the buckets that are new or have changed
 */
export function foldLevels(ticks: Series, levels: Levels, now: number): Record<Granularity, Series> {
  const changed: Partial<Record<Granularity, Series>> = {}
  let finer = ticks
  let completeFrom = now - TICK_BUFFER
  let reach: number = BUCKET_MS.fiveMinutely
  for (const granularity of GRANULARITIES) {
    const { series, serverUntil } = levels[granularity] ?? { series: emptySeries(), serverUntil: -Infinity }
    const seenFrom = finer.times[0] ?? Infinity
    const fresh = averageBuckets(finer, BUCKET_MS[granularity], Math.max(completeFrom, serverUntil, seenFrom), reach)
    changed[granularity] = without(fresh, series)
    completeFrom = now - LEVEL_SPAN[granularity]
    // The next coarser bucket is known from its start where the first of its finer buckets is.
    reach = BUCKET_MS[granularity]
    finer = sliceSeries(mergeBuckets(series, fresh, BUCKET_MS[granularity]), completeFrom)
  }
  return changed as Record<Granularity, Series>
}

/** The points of `fresh` that are not in `stored` with the same price. */
function without(fresh: Series, stored: Series): Series {
  const isNew = (time: number, index: number): boolean => {
    const at = lowerBound(stored.times, time)
    return stored.times[at] !== time || stored.prices[at] !== fresh.prices[index]
  }
  return {
    times: fresh.times.filter(isNew),
    prices: fresh.prices.filter((_, index) => isNew(fresh.times[index]!, index)),
  }
}
