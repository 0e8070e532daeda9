import { BUCKET_MS, GRANULARITIES, type Granularity, LEVEL_SPAN } from './granularity'
import { emptySeries, lowerBound, mergeSeries, type Series, sliceSeries } from './series'
import { TICK_BUFFER } from './live-prices'

export const bucketStart = (time: number, size: number): number => Math.floor(time / size) * size

/**
 * Mean price of each bucket that holds a point, standing at the bucket's start.
 * @param size width of a bucket, milliseconds
 * @param from buckets that start earlier are left out
 * @param reach a bucket whose first point comes this long after its start, or later, is left out, milliseconds
 */
export function averageBuckets(finer: Series, size: number, from = -Infinity, reach = size): Series {
  const { times, prices } = finer
  const start = lowerBound(times, from)
  const outTimes = new Float64Array(times.length - start)
  const outPrices = new Float64Array(times.length - start)
  let length = 0
  for (let i = start; i < times.length;) {
    const bucket = bucketStart(times[i]!, size)
    const end = bucket + size
    // Distances from the bucket's first price: the mean of equal prices is exactly that price.
    const pivot = prices[i]!
    const first = i
    let sum = 0
    for (; i < times.length && times[i]! < end; i++) sum += prices[i]! - pivot
    if (bucket < from || times[first]! - bucket >= reach) continue
    outTimes[length] = bucket
    outPrices[length++] = pivot + sum / (i - first)
  }
  return { times: outTimes.slice(0, length), prices: outPrices.slice(0, length) }
}

/**
 * All points of both, bucket by bucket: a bucket with points of `winner` has none of `base`.
 * @param size width of a bucket, milliseconds; points need not stand on bucket starts
 */
export function mergeBuckets(base: Series, winner: Series, size: number): Series {
  const bucketOf = (time: number): number => Math.floor(time / size)
  const times = new Float64Array(base.times.length)
  const prices = new Float64Array(base.times.length)
  let length = 0
  let next = 0
  for (let i = 0; i < base.times.length; i++) {
    const bucket = bucketOf(base.times[i]!)
    while (next < winner.times.length && bucketOf(winner.times[next]!) < bucket) next++
    if (next < winner.times.length && bucketOf(winner.times[next]!) === bucket) continue
    times[length] = base.times[i]!
    prices[length++] = base.prices[i]!
  }
  return mergeSeries({ times: times.subarray(0, length), prices: prices.subarray(0, length) }, winner)
}

/** One stored level of a coin's history. */
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
 * A bucket is written anew while all its finer points are still stored; one that has lost points to the bound of its finer
 * level stays as it was. The server's buckets stay the server's. A bucket stands at its start, so none is made of prices
 * that were all seen later: a minute of ticks makes no day.
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
