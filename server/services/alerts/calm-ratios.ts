import { MEASURES, type PairSight } from '../../../src/domain/rule-measures'
import type { DayWindow, MoveWindow } from '../../../src/domain/rule-kinds'

/** A measure of a pair, and beyond which values rules on it may change: above the one, and at the other or below it. */
export interface Bounded {
  readonly name: string
  readonly above: number
  readonly below: number
}

/** Both excluded. */
export type Ratios = readonly [low: number, high: number]

/** Of a ratio: what inverting a measure is off by is far less. */
const SAFETY = 1e-9

/**
 * Ratios around that of a pair at which its measures stay between their bounds, as long as the extents of its windows and its days
 * stay. Without the pair's own ratio where one is beyond its bounds.
 */
export function calmRatiosOf(measures: readonly Bounded[], sight: PairSight): Ratios {
  let [low, high] = [0, Infinity]
  for (const bounds of measures) {
    const [from, to] = ratiosWithin(bounds, sight)
    low = Math.max(low, from * (1 + SAFETY))
    high = Math.min(high, to * (1 - SAFETY))
  }
  return [low, high]
}

const ALL: Ratios = [0, Infinity]

function ratiosWithin({ name, above, below }: Bounded, sight: PairSight): Ratios {
  const { of, sign, window } = MEASURES.get(name) ?? { of: null, sign: 1, window: null }
  // Of the measure without its sign.
  const [least, most] = sign === 1 ? [below, above] : [-above, -below]
  switch (of) {
    case null:
      return ALL
    case 'ratio':
      return [least, most]
    case 'z': {
      const days = sight.days(window as DayWindow)
      if (days === null || days.deviation === 0) return ALL
      const at = (z: number): number => days.sorted[0]! * Math.exp(days.mean + z * days.deviation)
      return [at(least), at(most)]
    }
    default:
      return ratiosOfMove(of, least, most, sight, window as MoveWindow)
  }
}

/** A move is never less than 0: a bound below that is passed by all. */
function ratiosOfMove(
  of: 'rise' | 'fall' | 'move',
  least: number,
  most: number,
  { ratio, extent }: PairSight,
  window: MoveWindow,
): Ratios {
  const found = extent(window)
  if (found === null) return ALL
  const [risen, fallen] = [
    (by: number) => found.lowest * (1 + by / 100),
    (by: number) => found.highest * (1 - by / 100),
  ]
  const low = of === 'rise' ? 0 : fallen(most)
  const high = of === 'fall' ? Infinity : risen(most)
  if (most < 0) return [ratio, ratio]
  if (least < 0) return [low, high]
  // Of a move both ways, the way that it has gone.
  if (of === 'rise' || (of === 'move' && ratio > risen(least))) return [Math.max(low, risen(least)), high]
  return [low, Math.min(high, fallen(least))]
}
