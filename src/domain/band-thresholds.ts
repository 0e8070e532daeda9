import { bySide, type Sides } from './alerts'
import { roundThreshold } from './preset-thresholds'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'
import { startsArmed } from './threshold-entry'

interface AlertSetting {
  /** A ratio. */
  readonly threshold: number
  readonly armed: boolean
}

export type BandAlerts = Sides<AlertSetting>

/**
 * Both alerts at a chart's bands, armed like typed thresholds. Null if the bands are no thresholds: they must rise from
 * above 0 and stay apart when rounded.
 * @param ratio the present one; null: not known
 */
export function bandAlerts(bands: Sides<number>, ratio: number | null): BandAlerts | null {
  const rounded = bySide((side) => roundThreshold(bands[side]))
  const { high, low } = rounded
  const areThresholds = low >= LEAST_POSITIVE && low < high && high <= LARGEST_POSITIVE
  if (!areThresholds) return null
  return bySide((side) => ({ threshold: rounded[side], armed: startsArmed(side, rounded[side], ratio) }))
}
