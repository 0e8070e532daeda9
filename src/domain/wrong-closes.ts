import { closesOf, type DailyMatrix } from './daily-matrix'
import { quantile } from './standing'

/*
 * Closes that the prices themselves call wrong. They are left out of what is told, never altered in what is stored: whether a
 * price was an error or a real move of one day the prices alone cannot say.
 */

/** Deviations, as a median absolute deviation estimates them, beyond which a return is an outlier. */
const OUTLIER = 6 * 1.4826
/** Days on either side of a return that it is compared with, and how many of them must be known. */
const NEIGHBOURS = 15
const MIN_NEIGHBOURS = 11
/** Part of the move to a wrong close that the day after may fail to take back. */
const UNRETURNED = 0.25
/** Coins that make a market: below, no return can be set against that of the others. */
const MIN_COINS = 10
/** So many equal closes in a row are no trading. */
const FROZEN_DAYS = 4
/** Distance from one dollar within which a coin is kept at it, and may close at one price for days. */
const PEGGED_WITHIN = 0.01

/** The matrix without the closes that look wrong. */
export interface JudgedMatrix extends DailyMatrix {
  /** True while the newest close of a coin is an outlier: a later price may decide otherwise of it. */
  readonly isDoubtful: boolean
}

/**
 * Leaves out closes that look wrong, by Hampel's identifier (J. Am. Stat. Assoc. 69, 1974, 383) on the daily log returns less
 * the median of all coins of that day: a return beyond six deviations of the 15 days around it that the next day takes back.
 * The newest close has no next day; it goes where the present price, compared with the same day, is no outlier. Of four or
 * more equal closes in a row all but the first are no closes, except of a coin at one dollar.
 * @param present price of each row's coin now, USD; NaN: not known
 */
export function leaveOutWrongCloses(matrix: DailyMatrix, present: Float64Array): JudgedMatrix {
  const { days, coins, firstDay } = matrix
  const prices = matrix.prices.slice()
  const kept = { ...matrix, prices }
  const frozenSince = new Map<number, number>()
  for (const row of coins.keys()) {
    const since = thaw(closesOf(kept, row))
    if (since !== null) frozenSince.set(row, firstDay + since)
  }
  const returns = excessReturns(kept)
  const now = excessOverMarket(present.map((price, row) => Math.log(price / prices[(row + 1) * days - 2]!)))
  const leftOut = new Map<number, readonly number[]>()
  let isDoubtful = false
  for (const row of coins.keys()) {
    const its = returns.subarray(row * days, (row + 1) * days)
    const wrong = [...its.keys()].filter(
      (day) => isReversed(its, day) && isOutlier(its, day) && isOutlier(its, day + 1),
    )
    if (isOutlier(its, days - 1)) {
      isDoubtful = true
      if (isUsual(its, days - 1, now[row]!)) wrong.push(days - 1)
    }
    if (wrong.length > 0) leftOut.set(row, wrong)
    for (const day of wrong) prices[row * days + day] = NaN
  }
  return { ...kept, leftOut, frozenSince, isDoubtful }
}

/** Takes out what stands still. @returns the day since which it does until the end; null: the newest close is a close */
function thaw(closes: Float32Array): number | null {
  let first = 0
  for (let day = 1; day <= closes.length; day++) {
    if (closes[day] === closes[first]) continue
    if (day - first >= FROZEN_DAYS && Math.abs(closes[first]! - 1) > PEGGED_WITHIN) {
      closes.fill(NaN, first + 1, day)
      if (day === closes.length) return first
    }
    first = day
  }
  return null
}

/** Of each coin and day the log return less the median of all coins of the day; NaN: not known. */
function excessReturns({ days, coins, prices }: DailyMatrix): Float64Array {
  const returns = new Float64Array(coins.length * days).fill(NaN)
  const ofDay = new Float64Array(coins.length)
  for (let day = 1; day < days; day++) {
    for (let row = 0; row < coins.length; row++) {
      const at = row * days + day
      ofDay[row] = Math.log(prices[at]! / prices[at - 1]!)
    }
    for (const [row, value] of excessOverMarket(ofDay).entries()) returns[row * days + day] = value
  }
  return returns
}

/** Returns of one day less their median; all NaN where too few are known. */
function excessOverMarket(returns: Float64Array): Float64Array {
  const known = returns.filter(Number.isFinite).toSorted()
  const market = known.length < MIN_COINS ? NaN : quantile(known, 0.5)
  return returns.map((value) => value - market)
}

function isReversed(returns: Float64Array, day: number): boolean {
  const [away, back] = [returns[day]!, returns[day + 1] ?? NaN]
  return Math.abs(away + back) < UNRETURNED * Math.min(Math.abs(away), Math.abs(back))
}

/** False for what cannot be told, too. */
const isOutlier = (returns: Float64Array, day: number): boolean => deviationsAt(returns, day, returns[day]!) > OUTLIER

/** @param value in place of that day's own return */
const isUsual = (returns: Float64Array, day: number, value: number): boolean =>
  deviationsAt(returns, day, value) <= OUTLIER

/** How many median absolute deviations of the days around it `value` lies from their median; NaN: too few are known. */
function deviationsAt(returns: Float64Array, day: number, value: number): number {
  const around = returns.slice(Math.max(0, day - NEIGHBOURS), day + NEIGHBOURS + 1).filter(Number.isFinite)
  if (around.length < MIN_NEIGHBOURS) return NaN
  const centre = quantile(around.toSorted(), 0.5)
  const spread = quantile(around.map((other) => Math.abs(other - centre)).toSorted(), 0.5)
  return Math.abs(value - centre) / spread
}
