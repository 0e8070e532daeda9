import { BUCKET_MS, DAY, GRANULARITIES, type Granularity } from './granularity'
import { emptySeries, lowerBound, mergeSeries, type Series, sliceSeries } from './series'
import { TICK_BUFFER } from './ticks'

/** How far back each level is kept, milliseconds. */
export const LEVEL_SPAN: Readonly<Record<Granularity, number>> = {
  fiveMinutely: 3 * DAY,
  thirtyMinutely: 40 * DAY,
  hourly: 120 * DAY,
  daily: 3 * 365 * DAY,
}

export const bucketStart = (time: number, size: number): number => Math.floor(time / size) * size

/**
 * Mean price of each bucket that holds a point, standing at the bucket's start.
 * @param size width of a bucket, milliseconds
 * @param from buckets that start earlier are left out
 */
export function averageBuckets(finer: Series, size: number, from = -Infinity): Series {
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
    if (bucket < from) continue
    outTimes[length] = bucket
    outPrices[length++] = pivot + sum / (i - first)
  }
  return { times: outTimes.slice(0, length), prices: outPrices.slice(0, length) }
}

/** One level of a coin's history as it is stored. */
export interface Level {
  readonly series: Series
  /** Up to this time (exclusive, milliseconds) the points are the server's. */
  readonly serverUntil: number
}
export type Levels = Readonly<Partial<Record<Granularity, Level>>>

/**
 * Folds ticks into the five-minute level and each level into the next coarser one, and bounds all four:
 *
 *     ticks (36 h) → fiveMinutely (3 d) → thirtyMinutely (40 d) → hourly (120 d) → daily (3 y)
 *
 * A bucket is written anew as long as everything that ever fell in it is still there; one that has lost a part to its
 * finer level's bound stays as it was. A bucket that the server has spoken of stays the server's.
 */
export function foldLevels(ticks: Series, levels: Levels, now: number): Record<Granularity, Series> {
  const folded: Partial<Record<Granularity, Series>> = {}
  let finer = ticks
  let completeFrom = now - TICK_BUFFER
  for (const granularity of GRANULARITIES) {
    const { series, serverUntil } = levels[granularity] ?? { series: emptySeries(), serverUntil: -Infinity }
    const fresh = averageBuckets(finer, BUCKET_MS[granularity], Math.max(completeFrom, serverUntil))
    const keptFrom = now - LEVEL_SPAN[granularity]
    finer = folded[granularity] = sliceSeries(mergeSeries(series, fresh), keptFrom)
    completeFrom = keptFrom
  }
  return folded as Record<Granularity, Series>
}
