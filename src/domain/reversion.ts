import type { PairMoments } from './pair-moments'

/*
 * How x came back to its average within a window. Nothing here says anything of the days after it: of pairs that swung in 90
 * days 6 % swing in the next 90, and of all others as many.
 */

/** A regression of fewer observations says nothing. */
const MIN_OBSERVATIONS = 20

/**
 * The share ρ̂ of a distance that is left a day later, by ordinary least squares of Δx on the x before it. Steps across a day
 * that is not known are left out. NaN: fewer than MIN_OBSERVATIONS steps, or x never moved.
 */
export const persistence = ({ steps }: PairMoments): number =>
  steps.count >= MIN_OBSERVATIONS ? 1 + steps.product(0, 1) / steps.product(0, 0) : NaN

/**
 * Half-life in days of a distance of which ρ is left each day. Least squares find too small a ρ in a short series: E ρ̂ ≈
 * ρ − (1 + 3ρ) / n (Kendall 1954; Marriott and Pope 1954), which is solved for ρ here. NaN: nothing draws x back.
 * @param found ρ̂, of n steps
 */
export function halfLifeOf(found: number, n: number): number {
  const rho = (n * found + 1) / (n - 3)
  return rho > 0 && rho < 1 ? Math.LN2 / -Math.log(rho) : NaN
}

/** Sums of squares that are this share of their former size are what rounding left of nothing. */
const NOTHING_LEFT = 1e-12

/**
 * The t of b by the augmented Dickey–Fuller test with intercept and one lag (Said and Dickey 1984):
 * Δx_t = c + b·x_{t−1} + g·Δx_{t−1}. The three days of an observation lie side by side in the window; a day that is not
 * known takes its observations with it. NaN: fewer than MIN_OBSERVATIONS, or the line fits without a rest.
 */
export function dickeyFuller({ lagged }: PairMoments): number {
  if (lagged.count < MIN_OBSERVATIONS) return NaN
  const xx = lagged.product(0, 0)
  const xv = lagged.product(0, 1)
  const xy = lagged.product(0, 2)
  const vv = lagged.product(1, 1)
  const vy = lagged.product(1, 2)
  const yy = lagged.product(2, 2)
  const alone = xx - (xv * xv) / vv
  const b = (xy - (xv * vy) / vv) / alone
  const g = (vy - b * xv) / vv
  const rest = yy - b * xy - g * vy
  if (!(alone > NOTHING_LEFT * xx && rest > NOTHING_LEFT * yy)) return NaN
  return b / Math.sqrt(rest / (lagged.count - 3) / alone)
}

/** Outcome of that test at 5 %, which one in twenty ratios that wander freely pass. */
export type Verdict = 'swung' | 'not told from wandering'

/** b∞, b1, b2 and b3 of the test's critical value at 5 %, with intercept (MacKinnon 2010, table 2, N = 1). */
const [B0, B1, B2, B3] = [-2.86154, -2.8903, -4.234, -40.04]

export function verdictOf(t: number, n: number): Verdict {
  const critical = B0 + (B1 + (B2 + B3 / n) / n) / n
  return t <= critical ? 'swung' : 'not told from wandering'
}
