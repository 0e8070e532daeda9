import type { Reference } from '../references'

/** Share of the values' span that is left free above and below. */
const ROOM = 0.06
/** A reference is brought into view from so far away, in spans of the visible data: further, it would flatten the lines. */
const NEAR = 0.5

/**
 * The value axis: what is visible, the references near it, and some room; not below zero where no value is.
 * @param min least visible value; null: there is none
 */
export function valueRange(references: readonly Reference[], min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1]
  const reach = (max - min) * NEAR
  const near = references.map(({ value }) => value).filter((value) => value >= min - reach && value <= max + reach)
  const least = Math.min(min, ...near)
  const most = Math.max(max, ...near)
  const room = most > least ? (most - least) * ROOM : Math.abs(most) * 0.005 || 1
  return [least >= 0 ? Math.max(0, least - room) : least - room, most + room]
}
