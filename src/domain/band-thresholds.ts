import { roundThreshold } from './preset-thresholds'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'
import { startsArmed } from './threshold-entry'

interface AlertSetting {
  /** A ratio. */
  readonly threshold: number
  readonly armed: boolean
}

export interface BandAlerts {
  readonly high: AlertSetting
  readonly low: AlertSetting
}

/**
 * Both alerts at a chart's bands, armed like typed thresholds. Null if the bands are no thresholds: they must rise from
 * above 0 and stay apart when rounded.
 * @param ratio the present one; null: not known
 */
export function bandAlerts(
  bands: { readonly high: number; readonly low: number },
  ratio: number | null,
): BandAlerts | null {
  const high = roundThreshold(bands.high)
  const low = roundThreshold(bands.low)
  const areThresholds = low >= LEAST_POSITIVE && low < high && high <= LARGEST_POSITIVE
  if (!areThresholds) return null
  return {
    high: { threshold: high, armed: startsArmed('high', high, ratio) },
    low: { threshold: low, armed: startsArmed('low', low, ratio) },
  }
}
