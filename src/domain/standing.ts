import { extremeOf, type RangeEnd } from './extreme'
import { isPegged } from './peg'
import { MISSING, percentileWords, signedDecimals, withDecimals } from './format-number'
import { daysBelow } from './pair-moments'
import {
  MIN_COMMON_DAYS,
  MIN_WINDOW_DAYS,
  type PairCloses,
  STANDING_WINDOW,
  type StatisticWindow,
} from './pair-statistics'

/** Place of a pair's current ratio among the daily closes of the last 90 days. */
export interface PairStanding {
  /** Days with a close of both coins. */
  readonly days: number
  /** Share of those days with a ratio below the current one, of equal ones half; 0 to 1. */
  readonly percentile: number
  /** Sample deviations of ln(A / B) above the mean; null: the ratio never moved. */
  readonly z: number | null
  /** Ratios below which 5, 50 and 95 % of the days lie. */
  readonly p5: number
  readonly median: number
  readonly p95: number
  /** The side on which it stands at an extreme; null: it does not, or the closes are behind. */
  readonly extreme: RangeEnd | null
  /** Number of the UTC day of the last close, where that has to be said; null: closes and price are as new as can be. */
  readonly closesTo: number | null
}

/** Quantile of sorted values, linear between neighbours (type 7 of Hyndman and Fan 1996, as spreadsheets have it). */
export function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}

/** The days that a ratio is placed among. */
export interface StandingDays {
  /** Ratios, lowest first. */
  readonly sorted: Float64Array
  /** Of ln(ratio / lowest): from the lowest close, so that a ratio that never moved has a deviation of exactly 0. */
  readonly mean: number
  readonly deviation: number
}

/** Null: too few days are known. */
export function daysOfStanding({ a, b }: PairCloses, window: StatisticWindow = STANDING_WINDOW): StandingDays | null {
  const all = new Float64Array(a.length)
  let common = 0
  for (let day = 0; day < a.length; day++) {
    all[day] = a[day]! / b[day]!
    if (Number.isFinite(all[day])) common += 1
  }
  if (common < MIN_COMMON_DAYS) return null
  const sorted = all.slice(-window).filter(Number.isFinite).toSorted()
  const days = sorted.length
  if (days < MIN_WINDOW_DAYS) return null
  const logs = sorted.map((close) => Math.log(close / sorted[0]!))
  const mean = logs.reduce((sum, value) => sum + value, 0) / days
  return { sorted, mean, deviation: Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (days - 1)) }
}

/** @param ratio the current one; null: too few days are known */
export function standingOf(closes: PairCloses, ratio: number, daysOf = daysOfStanding): PairStanding | null {
  const found = ratio > 0 ? daysOf(closes) : null
  if (found === null) return null
  const { sorted, mean, deviation } = found
  const days = sorted.length
  const percentile = sorted.reduce((count, close) => count + daysBelow(close, ratio), 0) / days
  const distance = Math.log(ratio / sorted[0]!) - mean
  return {
    days,
    percentile,
    z: deviation > 0 ? distance / deviation : null,
    p5: quantile(sorted, 0.05),
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    extreme: extremeOf({ percentile, distance: Math.expm1(distance), isPegged: isPegged(deviation) }),
    closesTo: null,
  }
}

/** Deviations such as "+1.9σ". @param z NaN: not known */
export const deviationWords = (z: number, digits = 1): string =>
  Number.isNaN(z) ? MISSING : `${signedDecimals(z, digits)}σ`

/** Days that a sentence names of a window: all of it from 85 of 90 known ones on, else the known ones. */
export const daysOfWindow = (known: number, window: StatisticWindow): number =>
  known * 90 < window * 85 ? known : window

/** Such as "90 days", or "62 days" while no more are known. */
export const standingDays = ({ days }: Pick<PairStanding, 'days'>): string =>
  `${daysOfWindow(days, STANDING_WINDOW)} days`

/** Such as "97th percentile of 90 days, 1.9 deviations above the average". */
export function standingSentence(standing: PairStanding): string {
  const words = percentileWords(standing.percentile)
  return `${words[0]!.toUpperCase()}${words.slice(1)} of ${standingDays(standing)}${distanceWords(standing.z)}`
}

function distanceWords(z: number | null): string {
  if (z === null) return ''
  const size = withDecimals(Math.abs(z), 1)
  if (size === '0.0') return ', at the average'
  return `, ${size} deviations ${z > 0 ? 'above' : 'below'} the average`
}
