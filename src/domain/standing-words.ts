import { MISSING, signedDecimals, withDecimals } from './format-number'
import { STANDING_WINDOW } from './pair-statistics'
import type { PairStanding } from './standing'

const SUFFIXES: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }

/** Such as "21st". Without Intl, whose rules cost a phone 20 ms to make. @param rank below 111 */
const ordinal = (rank: number): string => `${rank}${(rank > 10 && rank < 14 ? undefined : SUFFIXES[rank % 10]) ?? 'th'}`

/**
 * A place such as "97th"; "lowest" or "highest" where every day lies on one side: there is no 0th and no 100th.
 * @param percentile a share; NaN: not known
 */
export function placeWords(percentile: number): string {
  if (Number.isNaN(percentile)) return MISSING
  if (percentile <= 0) return 'lowest'
  if (percentile >= 1) return 'highest'
  return ordinal(Math.min(99, Math.max(1, Math.round(100 * percentile))))
}

/** A place such as "97th percentile", or "lowest". */
export function percentileWords(percentile: number): string {
  const place = placeWords(percentile)
  return /\d/.test(place) ? `${place} percentile` : place
}

/** Deviations such as "+1.9σ". @param z NaN: not known */
export const deviationWords = (z: number, digits = 1): string =>
  Number.isNaN(z) ? MISSING : `${signedDecimals(z, digits)}σ`

/** With fewer days than this, the words say how many there are. */
const ALMOST_ALL_DAYS = 85

/** Such as "90 days", or "62 days" while no more are known. */
export const standingDays = ({ days }: Pick<PairStanding, 'days'>): string =>
  `${days < ALMOST_ALL_DAYS ? days : STANDING_WINDOW} days`

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
