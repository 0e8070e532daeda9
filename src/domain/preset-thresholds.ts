import { type AlertSide, isBeyond, SIDES } from './alerts'

/** Per cent of the ratio at which a threshold is preset. */
const PRESET = 5
const DIGITS = 8

/** A computed threshold in the eight significant digits that a person can read, and change. */
export const roundThreshold = (value: number): number => Number(value.toPrecision(DIGITS))

/** `percent` above the ratio, or below it for the low side. Null for a ratio of 0, near which none can be set. */
export const thresholdAt = (side: AlertSide, percent: number, ratio: number): number | null =>
  roundThreshold((ratio * (100 + SIDES[side].sign * percent)) / 100) || null

/** The threshold that a ratio presets: 5 % above or below it. */
export const presetThreshold = (side: AlertSide, ratio: number): number | null => thresholdAt(side, PRESET, ratio)

/**
 * Change of a side as alerts are switched on: a threshold that is missing is preset and armed, and one that the ratio is
 * beyond already is disarmed: it would fire at once.
 */
export const readySide = (side: AlertSide, threshold: number | null, ratio: number) => {
  if (threshold === null) return { threshold: presetThreshold(side, ratio), armed: true }
  return isBeyond(side, ratio, threshold) ? { armed: false } : {}
}

/**
 * Threshold at which the user re-arms a side. With the ratio beyond the old one, the side would fire at the next check: then
 * the threshold that is preset near the ratio. Null: the ratio is not known, or no threshold can be set near it.
 */
export function rearmAt(side: AlertSide, threshold: number, ratio: number | null): number | null {
  if (ratio === null) return null
  return isBeyond(side, ratio, threshold) ? presetThreshold(side, ratio) : threshold
}
