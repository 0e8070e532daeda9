import type { Armed } from '../../../domain/alerts'

interface AlertFacts {
  readonly notificationsEnabled: boolean
  readonly highThreshold: number | null
  readonly lowThreshold: number | null
}

/** A row's words about a pair's alerts; null: no threshold is set. */
export function alertState(widget: AlertFacts, armed: Armed): { readonly on: boolean; readonly words: string } | null {
  const { highThreshold: high, lowThreshold: low } = widget
  if (high === null && low === null) return null
  if (!widget.notificationsEnabled) return { on: false, words: 'Alerts are off' }
  const isArmed = (high !== null && armed.high) || (low !== null && armed.low)
  return { on: isArmed, words: isArmed ? 'Armed' : 'Disarmed until the ratio comes back' }
}
