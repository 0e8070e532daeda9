import { withDecimals } from './format-number'

/** How far the server counts for operators; of what there may be more of, so many or an estimate beyond them is said. */
export const COUNTED_TO = {
  /** Alerts, deliveries and mails that wait, of each kind. */
  waiting: 10_000,
  /** Accounts that a search finds. */
  found: 1_000,
  /** Rows of a whole table. */
  all: 20_000,
} as const

/** Such a number in words: beyond the limit it is an estimate. */
export function countedWords(value: number, limit: number): string {
  if (value > limit) return `about ${withDecimals(Number(value.toPrecision(3)), 0)}`
  return withDecimals(value, 0) + (value < limit ? '' : ' or more')
}
