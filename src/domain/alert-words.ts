import { ALERT_SIDES, type Armed, hasThreshold } from './alerts'
import type { RuleLoudness } from './rule-kinds'

interface AlertingPair {
  readonly alerts: Parameters<typeof hasThreshold>[0]
  readonly isActive: boolean
  readonly notificationsEnabled: boolean
  readonly holdMinutes: number
  readonly serverRules: readonly { readonly armed: boolean; readonly loudness: RuleLoudness }[]
}

/**
 * One sentence that is true whichever other devices announce the pair's alerts: about this device, and about the open app,
 * which announces on every device. With `offersAlerts` it ends with the button that switches the pair's alerts on.
 * @param isPushed whether this device is told while the app is closed; undefined: not known yet
 */
export function deliveryText(widget: AlertingPair, isPushed: boolean | undefined) {
  const isSet = hasThreshold(widget.alerts)
  if (!widget.isActive) return { text: isSet ? 'Set, nobody is told: this pair is inactive' : '', offersAlerts: false }
  const doRulesTell = widget.serverRules.some(({ armed, loudness }) => armed && loudness !== 'log')
  if (isSet && !widget.notificationsEnabled) {
    return { text: doRulesTell ? 'Thresholds tell nobody: ' : 'Set, nobody is told: ', offersAlerts: true }
  }
  if (!isSet) {
    const text = widget.notificationsEnabled ? 'Alerts are on, but no threshold is set' : ''
    return { text: doRulesTell ? `Tells you ${deliveryPlace(isPushed)}` : text, offersAlerts: false }
  }
  return { text: `Tells you ${afterHold(widget.holdMinutes)}${deliveryPlace(isPushed)}`, offersAlerts: false }
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

const afterHold = (minutes: number): string => (minutes === 0 ? '' : `after ${minutesWords(minutes)} beyond, `)

/**
 * A row's words about a pair's alerts; null: no threshold is set, and they are not snoozed.
 * @param isStale a price is too old for an alert
 */
export function alertState(
  { alerts, notificationsEnabled, holdMinutes }: Omit<AlertingPair, 'isActive' | 'serverRules'>,
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
