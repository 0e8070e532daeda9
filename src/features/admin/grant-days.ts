import { LONGEST_GRANT_DAYS } from '../../domain/subscription'

export const DAY = 24 * 60 * 60_000

/** What a field of days says; null where it is no number of days that can be granted. */
export function readDays(text: string): number | null {
  const days = Number(text)
  return text.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= LONGEST_GRANT_DAYS ? days : null
}

/** What is wrong with it; undefined: nothing. */
export function daysProblem(text: string): string | undefined {
  if (readDays(text) !== null) return undefined
  return Number(text) > LONGEST_GRANT_DAYS
    ? `Grant at most ${LONGEST_GRANT_DAYS} days at once.`
    : 'Enter a whole number of days, at least 1.'
}
