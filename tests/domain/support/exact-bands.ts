/*
 * Reference by another way: fixed-point integers that hold every double of the data exactly, so that sums may slide.
 */

const FRACTION_BITS = 160n

/** value · 2^160 as an integer; throws where a bit would be lost. */
function fixed(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = (bits >> 52n) & 0x7ffn
  if (exponent === 0n) {
    if (value === 0) return 0n
    throw new RangeError(`subnormal ${value}`)
  }
  const mantissa = (bits & ((1n << 52n) - 1n)) | (1n << 52n)
  const shift = exponent - 1075n + FRACTION_BITS
  if (shift < 0n) throw new RangeError(`${value} does not fit into the fraction`)
  return (bits >> 63n === 1n ? -1n : 1n) * (mantissa << shift)
}

function root(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt((value.toString(16).length + 1) * 2)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

/** Sample deviations of the last `window` values; NaN while there are fewer than two. */
export function exactDeviation(values: Float64Array, window: number): Float64Array {
  const exact = Array.from(values, fixed)
  let sum = 0n
  let squares = 0n
  return Float64Array.from(values, (_, i) => {
    const value = exact[i]!
    sum += value
    squares += value * value
    if (i >= window) {
      const leaving = exact[i - window]!
      sum -= leaving
      squares -= leaving * leaving
    }
    const n = BigInt(Math.min(i + 1, window))
    if (n < 2n) return NaN
    const variance = ((n * squares - sum * sum) << 128n) / (n * (n - 1n))
    return Number(root(variance)) * 2 ** -(160 + 64)
  })
}

/** EMA with a = 2 / (points + 1): EMA(i) = (2 r(i) + (points - 1) EMA(i - 1)) / (points + 1). */
export function exactAverage(values: Float64Array, points: number, seed: number): Float64Array {
  let average = fixed(seed)
  return Float64Array.from(values, (value) => {
    average = (2n * fixed(value) + BigInt(points - 1) * average) / BigInt(points + 1)
    return Number(average) * 2 ** -160
  })
}

/** Largest |found - exact| / scale; NaN must meet NaN. Infinity where one of the two is missing or a scale of 0 is missed. */
export function worstError(found: Float64Array, exact: Float64Array, scale: Float64Array = exact): number {
  let worst = found.length === exact.length ? 0 : Infinity
  for (let i = 0; i < exact.length; i++) {
    const distance = Math.abs(found[i]! - exact[i]!)
    if (Object.is(found[i], exact[i]) || distance === 0) continue
    const error = distance / Math.abs(scale[i]!)
    worst = Math.max(worst, Number.isNaN(error) ? Infinity : error)
  }
  return worst
}

/** The start of a moving average of N points: the mean of the ratios before the chart, else of its first N. */
export function seedOf(initial: Float64Array, chart: Float64Array, points: number): number {
  const values = [...(initial.length > 0 ? initial : chart.subarray(0, points))].map(fixed)
  return Number(values.reduce((sum, value) => sum + value, 0n) / BigInt(values.length)) * 2 ** -160
}
