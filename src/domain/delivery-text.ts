import { hasThreshold } from './alerts'
import { type AlertingPair, deliveryPlace, minutesWords } from './alert-words'
import type { RuleLoudness } from './rule-kinds'

interface PairOfCard extends AlertingPair {
  readonly isActive: boolean
  readonly serverRules: readonly { readonly armed: boolean; readonly loudness: RuleLoudness }[]
}

/**
 * One sentence that is true whichever other devices announce the pair's alerts: about this device, and about the open app,
 * which announces on every device. With `offersAlerts` it ends with the button that switches the pair's alerts on.
 * @param isPushed whether this device is told while the app is closed; undefined: not known yet
 */
export function deliveryText(widget: PairOfCard, isPushed: boolean | undefined) {
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

const afterHold = (minutes: number): string => (minutes === 0 ? '' : `after ${minutesWords(minutes)} beyond, `)
