/** Of a few values: how many there are, their mean, and the sum of their squared distances from it. */
export interface Moments {
  readonly count: number
  readonly mean: number
  readonly m2: number
}

/** Around the first value, so that equal values have exactly their value as mean and no deviation. */
export function momentsOf(values: Float64Array): Moments {
  const count = values.length
  if (count === 0) return { count, mean: 0, m2: 0 }
  const pivot = values[0]!
  let sum = 0
  for (let i = 0; i < count; i++) sum += values[i]! - pivot
  const mean = pivot + sum / count
  let m2 = 0
  for (let i = 0; i < count; i++) m2 += (values[i]! - mean) ** 2
  return { count, mean, m2 }
}

/** Sample deviation of the values with one more: a step of Welford's rule. NaN where it is the only one. */
export function deviationWith({ count, mean, m2 }: Moments, value: number): number {
  if (count === 0) return NaN
  const distance = value - mean
  return Math.sqrt((m2 + (distance * distance * count) / (count + 1)) / count)
}
