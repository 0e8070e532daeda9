import { isWithinCost } from './peg'

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
export function extremeOf({ percentile, distance, isPegged }: PlaceInDays): 'high' | 'low' | null {
  if (isPegged || isWithinCost(distance)) return null
  return percentile >= 1 - EXTREME_SHARE ? 'high' : percentile <= EXTREME_SHARE ? 'low' : null
}
