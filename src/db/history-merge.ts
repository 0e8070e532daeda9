import { DAY, type Granularity } from '../domain/granularity'
import { mergeSeries, type Series } from '../domain/series'

/** How far back each level is kept, milliseconds. */
export const LEVEL_SPAN: Readonly<Record<Granularity, number>> = {
  fiveMinutely: 3 * DAY,
  thirtyMinutely: 40 * DAY,
  hourly: 120 * DAY,
  daily: 3 * 365 * DAY,
}

/**
 * All points of both, bucket by bucket: where `winner` says anything of a bucket, `base` is not heard.
 * @param bucket width in milliseconds; points need not stand on bucket starts
 */
export function mergeBuckets(base: Series, winner: Series, bucket: number): Series {
  const bucketOf = (time: number): number => Math.floor(time / bucket)
  const times = new Float64Array(base.times.length)
  const prices = new Float64Array(base.times.length)
  let length = 0
  let w = 0
  for (let i = 0; i < base.times.length; i++) {
    const own = bucketOf(base.times[i]!)
    while (w < winner.times.length && bucketOf(winner.times[w]!) < own) w++
    if (w < winner.times.length && bucketOf(winner.times[w]!) === own) continue
    times[length] = base.times[i]!
    prices[length++] = base.prices[i]!
  }
  return mergeSeries({ times: times.subarray(0, length), prices: prices.subarray(0, length) }, winner)
}
