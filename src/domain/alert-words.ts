import { ALERT_SIDES, type Armed, hasThreshold } from './alerts'

export interface AlertingPair {
  readonly alerts: Parameters<typeof hasThreshold>[0]
  readonly notificationsEnabled: boolean
  readonly holdMinutes: number
}

/** Places where the user hears of alerts. @param isPushed as in `deliveryText` */
export const deliveryPlace = (isPushed: boolean | undefined): string =>
  isPushed === undefined
    ? 'in the open app'
    : isPushed
      ? 'on this device and in the open app'
      : 'here only while the app is open'

/** Such as "60 min". */
export const minutesWords = (minutes: number): string => `${minutes}\u00A0min`

/**
 * A row's words about a pair's alerts; null: no threshold is set, and they are not snoozed.
 * @param isStale a price is too old for an alert
 */
export function alertState(
  { alerts, notificationsEnabled, holdMinutes }: AlertingPair,
  armed: Armed,
  isStale: boolean,
  isSnoozed = false,
): { readonly on: boolean; readonly words: string } | null {
  if (isSnoozed) return { on: false, words: 'Alerts are snoozed' }
  if (!hasThreshold(alerts)) return null
  if (!notificationsEnabled) return { on: false, words: 'Alerts are off' }
  const isArmed = ALERT_SIDES.some((side) => alerts[side].threshold !== null && armed[side])
  if (isArmed && isStale) return { on: false, words: 'Armed, not judged while a price is old' }
  if (!isArmed) return { on: false, words: 'Disarmed until the ratio comes back' }
  return { on: true, words: holdMinutes === 0 ? 'Armed' : `Armed, fires after ${minutesWords(holdMinutes)} beyond` }
}
