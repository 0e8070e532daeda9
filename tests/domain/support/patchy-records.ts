import { BUCKET_MS, GRANULARITIES, type Granularity } from '../../../src/domain/granularity'
import { PERIOD_RULES, type Period } from '../../../src/domain/period'
import type { Records } from '../../../src/domain/period-series'
import { type Series, seriesFromPoints } from '../../../src/domain/series'
import { normalOf } from './random'

/** Where charts change their ways; half of what happens to a record happens within a few buckets of one of these. */
const edgesOf = (period: Period, until: number): readonly number[] => {
  const { duration, initialAverage } = PERIOD_RULES[period]
  return [until - duration - initialAverage, until - duration, until]
}

/**
 * A coin's records as they are after a life: levels that begin late, end early or are missing, holes, prices of zero,
 * times beside the grid.
 * @param until milliseconds, the newest point is within some buckets of it
 */
export function patchyRecords(period: Period, until: number, random: () => number): Records {
  const first = GRANULARITIES.indexOf(PERIOD_RULES[period].granularity)
  const isAligned = random() < 0.5
  const edges = edgesOf(period, until)
  const records: Partial<Record<Granularity, Series>> = {}
  for (const [i, granularity] of GRANULARITIES.entries()) {
    if (i < first || (i > first && random() < 0.2)) continue
    records[granularity] = patchyLevel(granularity, edges, isAligned, random)
  }
  return records
}

function patchyLevel(granularity: Granularity, edges: readonly number[], isAligned: boolean, random: () => number) {
  const step = BUCKET_MS[granularity]
  const [averageFrom, chartFrom, until] = edges as [number, number, number]
  const near = (edge: number): number => edge + (random() * 6 - 3) * step
  const oneOf = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!
  const begin = oneOf(
    averageFrom - 5 * step,
    near(averageFrom),
    near(averageFrom),
    near(chartFrom),
    until - random() * 60 * step,
  )
  const end = random() < 0.1 ? near(chartFrom) + 3 * step : random() < 0.3 ? near(until) : until
  const holes = [averageFrom, chartFrom, until].filter(() => random() < 0.4).map(near)
  while (random() < 0.6) holes.push(begin + random() * (end - begin))

  const normal = normalOf(random)
  const offset = isAligned ? 0 : Math.floor(random() * step)
  let price = 10 ** (random() * 6 - 3)
  const points: [number, number][] = []
  for (let time = Math.ceil(begin / step) * step - offset; time <= end; time += step) {
    price *= Math.exp(normal() * 0.01)
    if (holes.some((hole) => time >= hole && time < hole + (1 + (hole % 5)) * step)) continue
    const beside = isAligned ? 0 : Math.floor(random() * step * 0.2)
    points.push([time - beside, random() < 0.002 ? 0 : price])
  }
  return seriesFromPoints(points)
}
