import { type AlertRule, MAX_HOLD_MINUTES, MAX_MARGIN } from './alerts'
import { minutesWords } from './alert-words'
import { MINUTE } from './granularity'
import { alertsOfPast } from './proposed-margin'
import type { RatioSeries } from './ratio-series'
import { daysOf, inDays } from './threshold-past'

/** Of both thresholds of a pair. */
export type MarginAndHold = Pick<AlertRule, 'margin' | 'holdMinutes'>

type Level = Pick<AlertRule, 'kind' | 'level'>

/** Such as "0.5 %". */
export const marginWords = (margin: number): string => `${percentOf(margin)}\u00A0%`

/** A share in per cent, in the digits that a person types. */
export const percentOf = (margin: number): number => Number((margin * 100).toFixed(4))

const NONE: MarginAndHold = { margin: 0, holdMinutes: 0 }

/**
 * "Without a margin 14 alerts in 90 days, with 0.5 % 3": what margin and hold would have done to the alerts of these levels.
 * Null: less than a day is known.
 * @param past `spacing`: milliseconds between two points; a shorter hold is not seen in it
 */
export function alertsSentence(
  past: RatioSeries & { readonly spacing: number },
  levels: readonly Level[],
  { margin, holdMinutes }: MarginAndHold,
): string | null {
  const days = daysOf(past)
  if (days < 1 || levels.length === 0) return null
  const isHoldSeen = holdMinutes * MINUTE >= past.spacing
  const count = (set: MarginAndHold) => levels.reduce((sum, level) => sum + alertsOfPast(past, { ...level, ...set }), 0)
  const plain = count(NONE)
  const lead = holdMinutes === 0 ? 'Without a margin' : margin === 0 ? 'Without a hold' : 'Without margin and hold'
  const before = `${lead} ${alertsWords(plain)} ${inDays(days)}`
  if (plain === 0 || (margin === 0 && holdMinutes === 0)) return `${before}.`
  const kept = count({ margin, holdMinutes: isHoldSeen ? holdMinutes : 0 })
  const named = [margin > 0 && marginWords(margin), holdMinutes > 0 && minutesWords(holdMinutes)].filter(Boolean)
  const bound = holdMinutes > 0 && !isHoldSeen && kept > 0 ? 'at most ' : ''
  return `${before}, with ${named.join(' and ')} ${bound}${kept === 0 ? 'none' : kept}.`
}

const alertsWords = (count: number): string => (count === 0 ? 'no alert' : count === 1 ? '1 alert' : `${count} alerts`)

/** Reads what is typed as a number from 0 to `most`; null: it is none. Nothing typed is 0. */
export function readUpTo(text: string, most: number): number | null {
  const value = Number(text.trim().replace(',', '.'))
  return value >= 0 && value <= most ? value : null
}

/** A share of the threshold, of typed per cent. */
export function readMargin(text: string): number | null {
  const percent = readUpTo(text, 100 * MAX_MARGIN)
  return percent === null ? null : Number((percent / 100).toFixed(6))
}

/** Whole minutes. */
export function readHold(text: string): number | null {
  const minutes = readUpTo(text, MAX_HOLD_MINUTES)
  return minutes !== null && Number.isInteger(minutes) ? minutes : null
}
