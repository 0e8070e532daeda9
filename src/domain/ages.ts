import { closesOf, type DailyMatrix, dayEnd, MATRIX_DAYS, utcDayOf } from './daily-matrix'
import { MINUTE } from './granularity'
import type { CoinId } from './ids'
import type { LivePrices } from './live-prices'
import { endingWithClose } from './pair-columns'
import { type CurrentPrices, type PairCloses, pairCloses } from './pair-statistics'
import { daysOfStanding, type PairStanding, standingOf } from './standing'

/*
 * How old the price and the closes of a figure are, by the server's clock. Ten days between closes and price turn one side of
 * two deviations in nine into the other.
 */

/** A price that is not older is live; milliseconds. */
const LIVE_FOR = 15 * MINUTE
/** Days that closes may be behind the newest there can be: from `BEHIND` on they name no extreme, beyond `USABLE` no place. */
const BEHIND = 2
const USABLE = 7

export interface FigureAge {
  /** Milliseconds: the time of the price that is compared; null: there is none, or it is older than the last close. */
  readonly pricedAt: number | null
  readonly isLive: boolean
  /** Days between the last close and the price's day; of more than a year no close is left in any window. */
  readonly gap: number
  /** Days that closes are behind the newest there can be. */
  readonly daysBehind: number
  readonly closes: 'newest' | 'behind' | 'too old'
}

/** @param at of the price, milliseconds; NaN: not known. @param now milliseconds, by the server's clock */
export const isLiveAt = (at: number, now: number): boolean => now - at <= LIVE_FOR

/**
 * A price older than the last close would be compared with its own future: that close stands in for it.
 * @param price milliseconds: its time, of a pair the older of the two; null: none is known
 * @param now milliseconds, by the server's clock
 */
export function ageOf(
  { firstDay, days }: Pick<DailyMatrix, 'firstDay' | 'days'>,
  price: number | null,
  now: number,
): FigureAge {
  const lastDay = firstDay + days - 1
  const pricedAt = price !== null && price >= dayEnd(lastDay) ? price : null
  const daysBehind = Math.max(0, utcDayOf(now) - 1 - lastDay)
  return {
    pricedAt,
    isLive: pricedAt !== null && isLiveAt(pricedAt, now),
    gap: pricedAt === null ? 0 : Math.min(MATRIX_DAYS, utcDayOf(pricedAt) - 1 - lastDay),
    daysBehind,
    closes: daysBehind > USABLE ? 'too old' : daysBehind >= BEHIND ? 'behind' : 'newest',
  }
}

/** Closes with the missing days that follow them, so that a window is the days before the price's day. */
function withGap(closes: ArrayLike<number>, gap: number): ArrayLike<number> {
  if (gap <= 0) return closes
  const all = new Float64Array(closes.length + gap).fill(NaN)
  all.set(closes)
  return all
}

/** The matrix as prices of this age may be compared with it: days that lie between are missing, and all if it is too old. */
export function agedMatrix(matrix: DailyMatrix, { gap, closes }: FigureAge): DailyMatrix {
  if (closes !== 'too old' && gap <= 0) return matrix
  const days = matrix.days + Math.max(0, gap)
  const prices = new Float32Array(matrix.coins.length * days).fill(NaN)
  if (closes !== 'too old') for (const row of matrix.coins.keys()) prices.set(closesOf(matrix, row), row * days)
  return { ...matrix, days, prices }
}

/** A pair's prices with the closes that they may be compared with. */
export interface AgedPair {
  readonly age: FigureAge
  readonly closes: PairCloses
  readonly current: CurrentPrices
}

/** Null: the matrix lacks a coin. @param now milliseconds, by the server's clock */
export function agedPair(
  matrix: DailyMatrix,
  coinA: CoinId,
  coinB: CoinId,
  live: LivePrices | null,
  now: number,
): AgedPair | null {
  const closes = pairCloses(matrix, coinA, coinB)
  if (closes === null) return null
  const age = ageOf(matrix, live?.providerTime ?? null, now)
  if (live === null || age.pricedAt === null) return { age, ...endingWithClose(closes) }
  return {
    age,
    closes: { a: withGap(closes.a, age.gap), b: withGap(closes.b, age.gap) },
    current: { a: live.priceA, b: live.priceB },
  }
}

/** A pair's place in 90 days, as far as price and closes are new enough for one. */
export interface AgedStanding {
  /** Null: too few days are known, or the closes are too old. */
  readonly standing: PairStanding | null
  /** Days by which the closes are behind, from as many on as name no extreme; else null. */
  readonly closesAge: number | null
}

/**
 * @param live null: a price is not known, and neither is the place
 * @param now milliseconds, by the server's clock
 * @param daysOf the caller may keep what it gives for the same closes
 */
export function agedStanding(
  matrix: DailyMatrix,
  coinA: CoinId,
  coinB: CoinId,
  live: LivePrices | null,
  now: number,
  daysOf = daysOfStanding,
): AgedStanding {
  const pair = live && agedPair(matrix, coinA, coinB, live, now)
  if (pair === null) return { standing: null, closesAge: null }
  const { age, closes, current } = pair
  const closesAge = age.closes === 'newest' ? null : age.daysBehind
  const found = age.closes === 'too old' ? null : standingOf(closes, current.a / current.b, daysOf)
  const closesTo = closesAge === null && age.pricedAt !== null ? null : matrix.firstDay + matrix.days - 1
  return { standing: found && { ...found, extreme: closesAge === null ? found.extreme : null, closesTo }, closesAge }
}
