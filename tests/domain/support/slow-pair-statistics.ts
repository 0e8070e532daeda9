import type { WindowStatistics } from '../../../src/domain/pair-statistics'

/*
 * Reference by another way: logarithms as integers of 2^-200 (by the series of the area tangent), exact sums, and normal
 * equations solved by Gaussian elimination in fractions of such integers.
 */

const BITS = 200n
const ONE = 1n << BITS

/** A finite double as numerator and power of two. */
function parts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  let exponent = 0
  let mantissa = value
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    exponent--
  }
  return { mantissa: BigInt(mantissa), exponent }
}

/** 2 · artanh(numerator / denominator), in units of 2^-200. */
function doubledArtanh(numerator: bigint, denominator: bigint): bigint {
  const first = (numerator << BITS) / denominator
  const square = (first * first) >> BITS
  let sum = 0n
  let power = first
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k
    power = (power * square) >> BITS
  }
  return 2n * sum
}

const LN2 = doubledArtanh(1n, 3n)
const logs = new Map<number, bigint>()

/** ln(value) in units of 2^-200. */
function exactLog(value: number): bigint {
  const known = logs.get(value)
  if (known !== undefined) return known
  const { mantissa, exponent } = parts(value)
  const bits = mantissa.toString(2).length
  const scale = 1n << BigInt(bits)
  const log = doubledArtanh(mantissa - scale, mantissa + scale) + BigInt(bits + exponent) * LN2
  logs.set(value, log)
  return log
}

const toNumber = (value: bigint): number => Number(value) / 2 ** Number(BITS)

/** numerator / denominator, whatever their size. */
const quotient = (numerator: bigint, denominator: bigint): number =>
  denominator === 0n ? NaN : toNumber((numerator << BITS) / denominator)

/** Rows of regressors; the first is the intercept. Coefficients, sum of squared rests, and the inverse's diagonal. */
function leastSquares(rows: readonly (readonly bigint[])[], targets: readonly bigint[]) {
  const size = rows[0]!.length
  // The normal matrix beside the right side and the unit matrix.
  const table = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_column, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0n) >> BITS),
    rows.reduce((sum, row, index) => sum + row[i]! * targets[index]!, 0n) >> BITS,
    ...Array.from({ length: size }, (_column, j) => (i === j ? ONE : 0n)),
  ])
  for (let column = 0; column < size; column++) {
    const pivot = table[column]![column]!
    if (pivot < 1n << 60n) return null
    table[column] = table[column]!.map((value) => (value << BITS) / pivot)
    for (let other = 0; other < size; other++) {
      if (other === column) continue
      const factor = table[other]![column]!
      table[other] = table[other]!.map((value, index) => value - ((factor * table[column]![index]!) >> BITS))
    }
  }
  const coefficients = table.map((row) => row[size]!)
  const rests = rows.map(
    (row, index) => targets[index]! - row.reduce((sum, value, i) => sum + ((value * coefficients[i]!) >> BITS), 0n),
  )
  return {
    coefficients,
    squares: rests.reduce((sum, rest) => sum + ((rest * rest) >> BITS), 0n),
    inverse: table.map((row, index) => row[size + 1 + index]!),
  }
}

/** One window of a pair, the current prices last in both columns; NaN: not known. */
export function slowStatistics(
  a: readonly number[],
  b: readonly number[],
  window: number,
): Omit<WindowStatistics, 'window' | 'verdict'> {
  const x = a.map((price, day) => (price > 0 && b[day]! > 0 ? exactLog(price) - exactLog(b[day]!) : null))
  const common = x.slice(0, -1).filter((value) => value !== null).length
  const series = x.slice(-1 - window)
  const start = x.length - series.length
  const known = series.slice(0, -1).filter((value) => value !== null)
  const days = known.length
  if (common < 60 || days < 20)
    return {
      days,
      mean: null,
      deviation: null,
      z: null,
      percentile: null,
      legs: null,
      halfLife: null,
      adf: null,
      correlation: null,
    }
  const count = BigInt(days)
  const sum = known.reduce((total, value) => total + value, 0n)
  // n² times the variance's numerator, exact.
  const spread = known.reduce((total, value) => total + (count * value - sum) ** 2n, 0n)
  const deviation = Math.sqrt(quotient(spread, count * count * (count - 1n) * ONE * ONE))
  const now = series.at(-1)!

  const steps = series.flatMap((value, t) =>
    t > 0 && value !== null && series[t - 1] != null
      ? [{ t, before: series[t - 1]!, step: value - series[t - 1]! }]
      : [],
  )
  const line =
    steps.length < 20
      ? null
      : leastSquares(
          steps.map(({ before }) => [ONE, before - sum / count]),
          steps.map(({ step }) => step),
        )
  // The unbiased estimate is the one whose expected error is the error found: ρ − (1 + 3ρ) / n = ρ̂.
  const rho = line === null ? NaN : (1 + toNumber(line.coefficients[1]!) + 1 / steps.length) / (1 - 3 / steps.length)
  const halfLife = -1 / Math.log2(rho)
  const triples = steps.flatMap((step) => {
    const earlier = steps.find(({ t }) => t === step.t - 1)
    return earlier === undefined ? [] : [{ ...step, stepBefore: earlier.step }]
  })
  const test =
    triples.length < 20
      ? null
      : leastSquares(
          triples.map(({ before, stepBefore }) => [ONE, before - sum / count, stepBefore]),
          triples.map(({ step }) => step),
        )
  const rest = test === null ? 0 : toNumber(test.squares)
  const adf =
    test === null || rest === 0
      ? null
      : toNumber(test.coefficients[1]!) / Math.sqrt((rest / (triples.length - 3)) * toNumber(test.inverse[1]!))

  const returns = steps.map(({ t }) => {
    const [today, before] = [start + t, start + t - 1]
    return [exactLog(a[today]!) - exactLog(a[before]!), exactLog(b[today]!) - exactLog(b[before]!)] as const
  })
  const of = BigInt(returns.length)
  const sums = [0, 1].map((i) => returns.reduce((total, pair) => total + pair[i]!, 0n))
  const product = (i: number, j: number) =>
    returns.reduce((total, pair) => total + (of * pair[i]! - sums[i]!) * (of * pair[j]! - sums[j]!), 0n)
  const [aa, ab, bb] = [product(0, 0), product(0, 1), product(1, 1)]
  const scale = Math.sqrt(Number(aa)) * Math.sqrt(Number(bb))

  /** Of one coin, over the days of which the pair is known. */
  const legOf = (coin: readonly number[]): number => {
    const before = [...coin.keys()].slice(start, -1).filter((day) => x[day] !== null)
    const total = before.reduce((all, day) => all + exactLog(coin[day]!), 0n)
    return quotient(count * exactLog(coin.at(-1)!) - total, count * ONE)
  }
  const current = a.at(-1)! / b.at(-1)!
  const sorted = [...a.keys()]
    .slice(-1 - window, -1)
    .map((day) => a[day]! / b[day]!)
    .filter(Number.isFinite)
    .toSorted((one, other) => one - other)
  const first = sorted.findIndex((ratio) => ratio >= current)
  const above = sorted.findIndex((ratio) => ratio > current)
  const rank = ((first === -1 ? days : first) + (above === -1 ? days : above)) / 2
  return {
    days,
    mean: quotient(sum, count * ONE),
    deviation,
    z: now === null || deviation === 0 ? null : quotient(count * now - sum, count * ONE) / deviation,
    percentile: now === null ? null : rank / days,
    legs: now === null ? null : { a: legOf(a), b: legOf(b) },
    halfLife: halfLife > 0 && halfLife <= window / 3 ? halfLife : null,
    adf,
    correlation: returns.length < 20 || scale === 0 ? null : Number(ab) / scale,
  }
}
