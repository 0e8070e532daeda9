import { type AlertSide, OPPOSITE_SIDE, type Thresholds } from './alerts'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'

/** Digits of a threshold that a drag sets: a pixel is wider than what the others would say. */
const DIGITS = 5
/** Steps of the keys, as shares of the threshold. */
const STEP_SHARE = 0.001
const LARGE_STEP_SHARE = 0.01
/** Share by which a moved threshold stays apart from the other one. */
const APART = 0.001

/** A moved threshold in the digits that are stored, on its own side of the other one. */
export function movedThreshold(side: AlertSide, value: number, thresholds: Thresholds): number {
  const other = thresholds[OPPOSITE_SIDE[side]]
  const bounded = Math.min(LARGEST_POSITIVE, Math.max(LEAST_POSITIVE, value))
  const apart =
    other === null
      ? bounded
      : side === 'high'
        ? Math.max(bounded, other * (1 + APART))
        : Math.min(bounded, other * (1 - APART))
  return Number(apart.toPrecision(DIGITS))
}

/** The threshold after a step by key; null: the key moves nothing. */
export function steppedThreshold(value: number, key: string, isLarge: boolean): number | null {
  const step = isLarge || key.startsWith('Page') ? LARGE_STEP_SHARE : STEP_SHARE
  switch (key) {
    case 'ArrowUp':
    case 'ArrowRight':
    case 'PageUp':
      return value * (1 + step)
    case 'ArrowDown':
    case 'ArrowLeft':
    case 'PageDown':
      return value * (1 - step)
    default:
      return null
  }
}
