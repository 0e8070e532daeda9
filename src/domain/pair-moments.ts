/*
 * Means and co-moments of a pair's daily closes in nested windows, in one pass from the newest day backwards. The days of a
 * window that the one before it lacks are a segment. Sums within a segment are taken about a value of its own, and segments
 * are merged by Chan's rule (Chan, Golub and LeVeque 1983), so that a peg that hardly moves keeps its digits. Steps, lagged
 * steps and returns have a loop each, alike in shape: a common one would call a closure for every day of 4,950 pairs.
 */

/** Closes of one coin, its current price behind the last day, and their logarithms. */
export interface CoinColumn {
  /** USD; NaN: not known. */
  readonly price: Float64Array
  /** ln(price / first known price), to the last digit also where the price hardly moves. */
  readonly log: Float64Array
}

/** @param current USD; NaN: not known */
export function coinColumn(closes: ArrayLike<number>, current: number): CoinColumn {
  const price = new Float64Array(closes.length + 1)
  for (let day = 0; day <= closes.length; day++) {
    const value = day < closes.length ? closes[day]! : current
    price[day] = value > 0 && value < Infinity ? value : NaN
  }
  const first = price.find((value) => !Number.isNaN(value)) ?? NaN
  return { price, log: price.map((value) => Math.log1p((value - first) / first)) }
}

/** A count, the mean of each of some variables, and their co-moments about the means, the upper triangle row by row. */
class Moments {
  private readonly values: Float64Array

  private readonly variables: number

  constructor(variables: number) {
    this.variables = variables
    this.values = new Float64Array(1 + variables + (variables * (variables + 1)) / 2)
  }

  get count(): number {
    return this.values[0]!
  }

  mean(variable = 0): number {
    return this.values[1 + variable]!
  }

  /** Sum of products about the means. @param i, j variables, i ≤ j */
  product(i: number, j: number): number {
    return this.values[1 + this.variables + i * this.variables - (i * (i - 1)) / 2 + (j - i)]!
  }

  clear(): void {
    this.values.fill(0)
  }

  /** Takes a segment in: its count, sums and sums of products about the pivots, in the order of `values`. */
  merge(sums: Float64Array, pivots: Float64Array): void {
    const { values, variables } = this
    const [before, added] = [values[0]!, sums[0]!]
    if (added === 0) return
    const count = before + added
    let at = 1 + variables
    for (let i = 1; i <= variables; i++) {
      const apartI = pivots[i - 1]! + sums[i]! / added - values[i]!
      for (let j = i; j <= variables; j++, at++) {
        const apartJ = pivots[j - 1]! + sums[j]! / added - values[j]!
        const own = sums[at]! - (sums[i]! * sums[j]!) / added
        values[at] = values[at]! + own + (before === 0 ? 0 : apartI * apartJ * ((before * added) / count))
      }
    }
    for (let i = 1; i <= variables; i++) {
      const mean = pivots[i - 1]! + sums[i]! / added
      values[i] = before === 0 ? mean : values[i]! + (mean - values[i]!) * (added / count)
    }
    values[0] = count
  }
}

/** Days that a close counts for the place of a ratio among closes: one if it is lower, half a one if it is equal. */
export const daysBelow = (close: number, ratio: number): number => (close < ratio ? 1 : close === ratio ? 0.5 : 0)

/** Below this distance from the pivot's ratio the logarithm is summed as a series. */
const NEAR = 2 ** -8

/** ln(1 + e) for |e| < NEAR, to the last digit. */
const nearLog = (e: number): number =>
  e * (1 - e * (1 / 2 - e * (1 / 3 - e * (1 / 4 - e * (1 / 5 - e * (1 / 6 - e / 7))))))

/**
 * The moments of one pair in one window after the other. One object serves any number of pairs of equally many days, and
 * allocates nothing for them. x = ln(A / B), measured from `offset`.
 */
export class PairMoments {
  /** Of the days before the last point: x. */
  readonly days = new Moments(1)
  /** Of days with a known next day: x, and the step Δx to the next day. */
  readonly steps = new Moments(2)
  /** Of days with a known day before and after: x, the step before it, and the step after it. */
  readonly lagged = new Moments(3)
  /** Of neighbouring known days: the log returns of A and of B. */
  readonly returns = new Moments(2)
  /** Days with a ratio below the current one, equal ones as a half. */
  below = 0
  /** Sum over the days of ln A as in its column, and ln A now; NaN: not known. */
  sumA = 0
  nowA = NaN
  /** Days of the whole matrix on which both closes are known. */
  common = 0
  /** The current ratio and its x; NaN: not known. */
  ratio = NaN
  now = NaN
  /** ln of the ratio from which x is measured. */
  offset = NaN

  private readonly x: Float64Array
  private readonly ratios: Float64Array
  private readonly sums = [new Float64Array(3), new Float64Array(6), new Float64Array(10)] as const
  private readonly pivots = new Float64Array(3)
  private logA: Float64Array = new Float64Array(0)
  private logB: Float64Array = new Float64Array(0)
  private from = 0
  private last = 0

  private readonly hasSteps: boolean

  /** @param days of the matrix @param hasSteps counts `steps` and `lagged`, which take most of the time */
  constructor(days: number, hasSteps: boolean) {
    this.hasSteps = hasSteps
    this.x = new Float64Array(days + 1)
    this.ratios = new Float64Array(days + 1)
  }

  /** Begins a pair with an empty window. @param last index of the last point, which is not among the days */
  begin(a: CoinColumn, b: CoinColumn, last: number): void {
    const { x, ratios } = this
    const [priceA, priceB, logA, logB] = [a.price, b.price, a.log, b.log]
    this.logA = logA
    this.logB = logB
    this.from = last
    this.last = last
    for (const moments of [this.days, this.steps, this.lagged, this.returns]) moments.clear()
    this.below = 0
    this.sumA = 0
    this.nowA = logA[last] ?? NaN
    // The newest day with both closes: what x is measured from.
    let pivot = last - 1
    while (pivot > 0 && Number.isNaN(priceA[pivot]! + priceB[pivot]!)) pivot--
    const zeroA = priceA[pivot] ?? NaN
    const zeroB = priceB[pivot] ?? NaN
    const zeroLog = (logA[pivot] ?? NaN) - (logB[pivot] ?? NaN)
    this.offset = Math.log(zeroA / zeroB)
    let common = 0
    for (let day = 0; day <= last; day++) {
      const priceOfA = priceA[day]!
      const priceOfB = priceB[day]!
      const ratio = priceOfA / priceOfB
      ratios[day] = ratio
      // Products of two closes are exact: a close has 24 binary digits.
      const apart = (priceOfA * zeroB - zeroA * priceOfB) / (zeroA * priceOfB)
      x[day] = Math.abs(apart) < NEAR ? nearLog(apart) : logA[day]! - logB[day]! - zeroLog
      if (ratio > 0 && day < last) common++
    }
    this.common = common
    this.ratio = ratios[last] ?? NaN
    this.now = x[last] ?? NaN
  }

  /** Widens the window to so many days before the last point. */
  widen(window: number): void {
    const to = Math.max(0, this.last - window)
    this.addDays(to)
    if (this.hasSteps) {
      this.addSteps(to)
      this.addLagged(to)
    }
    this.addReturns(to)
    this.from = to
  }

  private addDays(to: number): void {
    const { x, ratios, ratio, from, logA } = this
    const [sums] = this.sums
    let sumA = 0
    let count = 0
    let sum = 0
    let square = 0
    let below = 0
    let pivot = 0
    for (let day = from - 1; day >= to; day--) {
      const value = x[day]!
      if (Number.isNaN(value)) continue
      if (count === 0) pivot = value
      const apart = value - pivot
      const close = ratios[day]!
      count++
      sum += apart
      square += apart * apart
      sumA += logA[day]!
      below += daysBelow(close, ratio)
    }
    this.below += below
    this.sumA += sumA
    this.pivots[0] = pivot
    sums[0] = count
    sums[1] = sum
    sums[2] = square
    this.days.merge(sums, this.pivots)
  }

  private addSteps(to: number): void {
    const { x, from, pivots } = this
    const sums = this.sums[1]
    let count = 0
    let sumX = 0
    let sumY = 0
    let xx = 0
    let xy = 0
    let pivotX = 0
    let pivotY = 0
    let next = x[from]!
    for (let day = from - 1; day >= to; day--) {
      const value = x[day]!
      const step = next - value
      next = value
      if (Number.isNaN(step)) continue
      if (count === 0) {
        pivotX = value
        pivotY = step
      }
      const apartX = value - pivotX
      const apartY = step - pivotY
      count++
      sumX += apartX
      sumY += apartY
      xx += apartX * apartX
      xy += apartX * apartY
    }
    sums[0] = count
    sums[1] = sumX
    sums[2] = sumY
    sums[3] = xx
    sums[4] = xy
    pivots[0] = pivotX
    pivots[1] = pivotY
    this.steps.merge(sums, pivots)
  }

  private addLagged(to: number): void {
    const { x, from, pivots, last } = this
    const sums = this.sums[2]
    let count = 0
    let sumX = 0
    let sumV = 0
    let sumY = 0
    let xx = 0
    let xv = 0
    let xy = 0
    let vv = 0
    let vy = 0
    let yy = 0
    let pivotX = 0
    let pivotV = 0
    let pivotY = 0
    // The observation of a day needs the day before it, which is in the window too.
    let value = x[from]!
    let step = from < last ? x[from + 1]! - value : NaN
    for (let before = from - 1; before >= to; before--) {
      const valueBefore = x[before]!
      const stepBefore = value - valueBefore
      if (!Number.isNaN(step + stepBefore)) {
        if (count === 0) {
          pivotX = value
          pivotV = stepBefore
          pivotY = step
        }
        const apartX = value - pivotX
        const apartV = stepBefore - pivotV
        const apartY = step - pivotY
        count++
        sumX += apartX
        sumV += apartV
        sumY += apartY
        xx += apartX * apartX
        xv += apartX * apartV
        xy += apartX * apartY
        vv += apartV * apartV
        vy += apartV * apartY
        yy += apartY * apartY
      }
      value = valueBefore
      step = stepBefore
    }
    sums[0] = count
    sums[1] = sumX
    sums[2] = sumV
    sums[3] = sumY
    sums[4] = xx
    sums[5] = xv
    sums[6] = xy
    sums[7] = vv
    sums[8] = vy
    sums[9] = yy
    pivots[0] = pivotX
    pivots[1] = pivotV
    pivots[2] = pivotY
    this.lagged.merge(sums, pivots)
  }

  private addReturns(to: number): void {
    const { x, logA, logB, from, pivots } = this
    const sums = this.sums[1]
    let count = 0
    let sumA = 0
    let sumB = 0
    let aa = 0
    let ab = 0
    let bb = 0
    let pivotA = 0
    let pivotB = 0
    for (let day = from - 1; day >= to; day--) {
      // x is known where both closes are.
      if (Number.isNaN(x[day]! + x[day + 1]!)) continue
      const returnA = logA[day + 1]! - logA[day]!
      const returnB = logB[day + 1]! - logB[day]!
      if (count === 0) {
        pivotA = returnA
        pivotB = returnB
      }
      const apartA = returnA - pivotA
      const apartB = returnB - pivotB
      count++
      sumA += apartA
      sumB += apartB
      aa += apartA * apartA
      ab += apartA * apartB
      bb += apartB * apartB
    }
    sums[0] = count
    sums[1] = sumA
    sums[2] = sumB
    sums[3] = aa
    sums[4] = ab
    sums[5] = bb
    pivots[0] = pivotA
    pivots[1] = pivotB
    this.returns.merge(sums, pivots)
  }
}
