import { BUCKET_MS, GRANULARITIES, type Granularity } from '../../../src/domain/granularity'

/** The unit of `market_points.bucket`, milliseconds. */
export const UNIT = BUCKET_MS.fiveMinutely

export const levelOf = (granularity: Granularity): number => GRANULARITIES.indexOf(granularity)
/** Width of a level's buckets in units. */
export const unitsOf = (granularity: Granularity): number => BUCKET_MS[granularity] / UNIT
/** Buckets of the next finer level in one of this level; 1 at the finest. */
export const finerIn = (granularity: Granularity): number => {
  const finer = GRANULARITIES[levelOf(granularity) - 1]
  return finer === undefined ? 1 : BUCKET_MS[granularity] / BUCKET_MS[finer]
}
/** The unit in which a bucket of this level that holds `time` starts. */
export const bucketOf = (time: number, granularity: Granularity): number =>
  Math.floor(time / BUCKET_MS[granularity]) * unitsOf(granularity)
