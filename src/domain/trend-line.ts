/**
 * Each value as a multiple of the straight line through the logarithms (ordinary least squares over time), so that what is
 * left of a steady drift is 1 everywhere. O(n). A series with a value that has no logarithm is returned as it is.
 * @param times ascending, milliseconds
 */
export function withoutTrend(times: Float64Array, values: Float64Array): Float64Array {
  const logs = values.map(Math.log)
  const [first, meanLog] = [times[0] ?? 0, mean(logs)]
  if (!Number.isFinite(meanLog)) return values
  const middle = mean(times.map((time) => time - first))
  let covariance = 0
  let variance = 0
  for (let i = 0; i < times.length; i++) {
    const distance = times[i]! - first - middle
    covariance += distance * (logs[i]! - meanLog)
    variance += distance * distance
  }
  const slope = variance === 0 ? 0 : covariance / variance
  return logs.map((log, i) => Math.exp(log - meanLog - slope * (times[i]! - first - middle)))
}

function mean(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
