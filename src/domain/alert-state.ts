import { ALERT_SIDES, type AlertSide, type Armed, hasThreshold } from './alerts'

interface AlertingPair {
  readonly alerts: Readonly<Record<AlertSide, { readonly threshold: number | null }>>
  readonly notificationsEnabled: boolean
}

/**
 * A row's words about a pair's alerts; null: no threshold is set.
 * @param isStale a price is too old for an alert
 */
export function alertState(
  { alerts, notificationsEnabled }: AlertingPair,
  armed: Armed,
  isStale: boolean,
): { readonly on: boolean; readonly words: string } | null {
  if (!hasThreshold(alerts)) return null
  if (!notificationsEnabled) return { on: false, words: 'Alerts are off' }
  const isArmed = ALERT_SIDES.some((side) => alerts[side].threshold !== null && armed[side])
  if (isArmed && isStale) return { on: false, words: 'Armed, not judged while a price is old' }
  return { on: isArmed, words: isArmed ? 'Armed' : 'Disarmed until the ratio comes back' }
}
