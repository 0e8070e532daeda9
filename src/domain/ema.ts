import { DAY } from './granularity'

const LEAST_POINTS = 5

/**
 * N of the moving average: the points that its window of days holds at the density of the chart.
 * @param times those of the chart's points, ascending, milliseconds
 */
export function averagePoints(times: Float64Array, windowDays: number): number {
  const spanDays = times.length < 2 ? 0 : (times[times.length - 1]! - times[0]!) / DAY
  if (!(spanDays > 0)) return LEAST_POINTS
  return Math.max(LEAST_POINTS, Math.round(windowDays * ((times.length - 1) / spanDays)))
}

/** Share of the newest ratio in the moving average of N points. */
export const averageWeight = (points: number): number => 2 / (points + 1)

/**
 * What the moving average starts from: the mean of the initial-average ratios, and where there are none (a young
 * coin, a provider's limit), that of the first chart ratios.
 * @param points N
 */
export const seedOf = (initial: Float64Array, chart: Float64Array, points: number): number =>
  mean(initial.length > 0 ? initial : chart.subarray(0, points))

/** Around the first value, so that the mean of equal values is exactly that value. NaN of nothing. */
function mean(values: Float64Array): number {
  const pivot = values[0] ?? NaN
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! - pivot
  return pivot + sum / values.length
}
