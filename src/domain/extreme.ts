import { isWithinCost } from './peg'

/** A place in the outer twentieth on either side is an extreme. */
const EXTREME_SHARE = 0.05

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
