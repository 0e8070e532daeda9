import { ALERT_SIDES, type AlertSide, SIDES, type Thresholds } from './alerts'
import type { PairStanding } from './standing'

/** The orders that a list of pairs can have; all but the first are computed. */
export const PAIR_ORDERS = ['hand', 'near', 'extreme', 'rises', 'falls', 'name', 'name-down'] as const
export type PairOrder = (typeof PAIR_ORDERS)[number]

/** The facts of a pair that decide its place. */
interface PairFacts {
  readonly key: string
  /** Such as "BTC / ETH". */
  readonly name: string
  readonly ratio: number | null
  readonly thresholds: Thresholds
  /** Fraction; null: not known. */
  readonly change24h: number | null
  /** Place in 90 days; null: not known. */
  readonly standing: PairStanding | null
}

/** A threshold, and the move that leads to it as a fraction of the ratio: negative if the ratio is beyond. */
interface ThresholdDistance {
  readonly side: AlertSide
  readonly move: number
}

/** The threshold that the ratio is nearest to, or furthest beyond; null: nothing to compare. */
export function nearestThreshold(ratio: number | null, thresholds: Thresholds): ThresholdDistance | null {
  if (ratio === null || !Number.isFinite(ratio) || ratio <= 0) return null
  const distances = ALERT_SIDES.flatMap((side): readonly ThresholdDistance[] => {
    const threshold = thresholds[side]
    return threshold === null ? [] : [{ side, move: SIDES[side].sign * (threshold / ratio - 1) }]
  })
  return distances.reduce<ThresholdDistance | null>((near, one) => (near && near.move <= one.move ? near : one), null)
}

/** The side of the threshold that the ratio is beyond; null: of none. */
export function crossedSide(ratio: number | null, thresholds: Thresholds): AlertSide | null {
  const nearest = nearestThreshold(ratio, thresholds)
  return nearest !== null && nearest.move < 0 ? nearest.side : null
}

const distanceOf = ({ ratio, thresholds }: PairFacts): number | null =>
  nearestThreshold(ratio, thresholds)?.move ?? null

const isCrossed = (pair: PairFacts): boolean => crossedSide(pair.ratio, pair.thresholds) !== null

/** The smaller value first; unknown values last. */
const ascending = (a: number | null, b: number | null): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : a - b

/** How far from the middle of its days; the same for a pair and its inverse. */
const outwardness = (standing: PairStanding | null): number | null =>
  standing === null ? null : Math.abs(standing.percentile - 0.5)

/** The place furthest out first; beyond all days on either side, the greater distance from the average. */
export const byExtremity = (a: PairStanding | null, b: PairStanding | null): number =>
  ascending(negated(outwardness(a)), negated(outwardness(b))) || Math.abs(b?.z ?? 0) - Math.abs(a?.z ?? 0)

const negated = (value: number | null): number | null => (value === null ? null : -value)

const byName = (a: PairFacts, b: PairFacts): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const COMPARE: Readonly<Record<Exclude<PairOrder, 'hand'>, (a: PairFacts, b: PairFacts) => number>> = {
  near: (a, b) => ascending(distanceOf(a), distanceOf(b)),
  extreme: (a, b) => byExtremity(a.standing, b.standing),
  rises: (a, b) => ascending(negated(a.change24h), negated(b.change24h)),
  falls: (a, b) => ascending(a.change24h, b.change24h),
  name: byName,
  'name-down': (a, b) => byName(b, a),
}

/**
 * The keys of pairs in an order. In every computed one, pairs beyond a threshold come first; pairs that compare equal
 * stand as they do by hand.
 * @param pairs as they stand by hand
 */
export function orderPairs(pairs: readonly PairFacts[], order: PairOrder): readonly string[] {
  const sorted =
    order === 'hand'
      ? pairs
      : pairs.toSorted((a, b) => Number(isCrossed(b)) - Number(isCrossed(a)) || COMPARE[order](a, b))
  return sorted.map(({ key }) => key)
}

/**
 * The shown order while it must not change: removed keys are left out, new ones stand at the end.
 * @param wanted the order as it would be computed now
 */
export function holdOrder(shown: readonly string[], wanted: readonly string[]): readonly string[] {
  const held = shown.filter((key) => wanted.includes(key))
  return [...held, ...wanted.filter((key) => !held.includes(key))]
}

/** Columns of the table that can be sorted by. */
export type SortColumn = 'name' | 'near' | 'change' | 'standing'

const DIRECTIONS: Readonly<Record<SortColumn, readonly [PairOrder, PairOrder]>> = {
  name: ['name', 'name-down'],
  near: ['near', 'hand'],
  change: ['rises', 'falls'],
  standing: ['extreme', 'hand'],
}

/** The order that a click on a column's heading chooses. */
export function orderAfter(order: PairOrder, column: SortColumn): PairOrder {
  const [first, second] = DIRECTIONS[column]
  return order === first ? second : first
}

const SORTED: Readonly<Record<SortColumn, Partial<Record<PairOrder, 'ascending' | 'descending'>>>> = {
  name: { name: 'ascending', 'name-down': 'descending' },
  near: { near: 'ascending' },
  change: { rises: 'descending', falls: 'ascending' },
  standing: { extreme: 'descending' },
}

/** How a column is sorted, as `aria-sort` says it. */
export const sortOf = (order: PairOrder, column: SortColumn) => SORTED[column][order]
