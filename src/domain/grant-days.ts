import { LONGEST_GRANT_DAYS } from './subscription'

/** Days that an operator has typed; null if a grant cannot last so many days. */
export function readDays(text: string): number | null {
  const days = Number(text)
  return text.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= LONGEST_GRANT_DAYS ? days : null
}

/** Fault of the input, as a sentence; undefined: none. */
export function daysProblem(text: string): string | undefined {
  if (readDays(text) !== null) return undefined
  return Number(text) > LONGEST_GRANT_DAYS
    ? `Grant at most ${LONGEST_GRANT_DAYS} days at once.`
    : 'Enter a whole number of days, at least 1.'
}
