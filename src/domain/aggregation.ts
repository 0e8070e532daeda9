import { DAY, type Granularity } from './granularity'
import { lowerBound, mergeSeries, type Series } from './series'

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
 * All points of both, bucket by bucket: where `winner` says anything of a bucket, `base` is not heard.
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
