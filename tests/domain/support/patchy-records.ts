import { BUCKET_MS, GRANULARITIES, type Granularity } from '../../../src/domain/granularity'
import { PERIOD_RULES, type Period } from '../../../src/domain/period'
import type { Records } from '../../../src/domain/period-series'
import { type Series, seriesFromPoints } from '../../../src/domain/series'
import { normalOf } from './random'

/** How many points of each level are made, more than any period needs of it. */
const POINTS: Readonly<Record<Granularity, number>> = {
  fiveMinutely: 500,
  thirtyMinutely: 700,
  hourly: 2_500,
  daily: 500,
}

/**
 * A coin's records as they are after a life: levels that begin late or are missing, holes, prices of zero, times beside
 * the grid.
 * @param until milliseconds, the newest point is within a bucket of it
 */
export function patchyRecords(period: Period, until: number, random: () => number): Records {
  const first = GRANULARITIES.indexOf(PERIOD_RULES[period].granularity)
  const isAligned = random() < 0.5
  const records: Partial<Record<Granularity, Series>> = {}
  for (const [i, granularity] of GRANULARITIES.entries()) {
    if (i < first || (i > first && random() < 0.2)) continue
    const reach = random() < 0.4 ? 1 : random()
    records[granularity] = patchyLevel(granularity, Math.ceil(POINTS[granularity] * reach), until, isAligned, random)
  }
  return records
}

function patchyLevel(granularity: Granularity, count: number, until: number, isAligned: boolean, random: () => number) {
  const normal = normalOf(random)
  const step = BUCKET_MS[granularity]
  const end = isAligned ? Math.floor(until / step) * step : until - Math.floor(random() * step)
  const holes = random() < 0.5 ? 0 : random() * 0.05
  let price = 10 ** (random() * 6 - 3)
  let hole = 0
  const points: [number, number][] = []
  for (let i = count - 1; i >= 0; i--) {
    price *= Math.exp(normal() * 0.01)
    if (random() < holes) hole = Math.ceil(random() * 8)
    if (hole-- > 0) continue
    const beside = isAligned ? 0 : Math.floor(random() * step * 0.2)
    points.push([end - i * step - beside, random() < 0.002 ? 0 : price])
  }
  return seriesFromPoints(points)
}
