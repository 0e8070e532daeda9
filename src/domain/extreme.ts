import { isWithinCost } from './peg'

/** An end of a range, such as that of a pair's days or of a backtest's lines. The sides of an alert are in alerts.ts. */
export type RangeEnd = 'high' | 'low'

/** 1 if greater ratios lie beyond the end. */
export const outwards = (end: RangeEnd): 1 | -1 => (end === 'high' ? 1 : -1)

/** The nearer end. @param percentile share of the range that lies below, 0 to 1 */
export const nearerEnd = (percentile: number): RangeEnd => (percentile < 0.5 ? 'low' : 'high')

/** A place in the outer twentieth on either side is an extreme. */
const EXTREME_SHARE = 0.05

/**
 * The ratios between which a pair is at no extreme of its days, whatever else is known of it; both excluded.
 * @param sorted ratios of the days, lowest first, twenty at least
 */
export function calmRatios(sorted: Float64Array): readonly [low: number, high: number] {
  const days = sorted.length
  let below = 0
  while (below / days <= EXTREME_SHARE) below += 1
  let most = days - 1
  while (most / days >= 1 - EXTREME_SHARE) most -= 1
  return [sorted[below - 1]!, sorted[most]!]
}

interface PlaceInDays {
  /** Share of the days with a ratio below the current one. */
  readonly percentile: number
  /** Above the average, as a fraction of it. */
  readonly distance: number
  readonly isPegged: boolean
}

/** The side of an extreme; null: at none, pegged, or nearer to the average than a swap there and back costs. */
export function extremeOf({ percentile, distance, isPegged }: PlaceInDays): RangeEnd | null {
  if (isPegged || isWithinCost(distance)) return null
  return percentile >= 1 - EXTREME_SHARE ? 'high' : percentile <= EXTREME_SHARE ? 'low' : null
}
