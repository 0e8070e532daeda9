/*
 * Shares measured on the daily closes of 29 large coins, all their pairs on every tenth day from January 2024 to October 2025,
 * 24,575 in each window. They share coins and years: they describe these, and prove nothing of others.
 * `tests/domain/real-pairs.test.ts` finds them again.
 */
export const MEASURED = {
  /** Beyond 2 deviations of 90 days, on all days and on the last one, a day on which many were. */
  beyond2: 0.1504,
  beyond2OnBusyDay: 0.3227,
  beyond3: 0.0315,
  /** At an extreme of 90 days. */
  atExtreme: 0.2815,
  /** Of the pairs that swung in 90 days, and of all others, those that swung in the next 90. */
  swungAgain: 79 / 1344,
  swungAfterwards: 1290 / 19_577,
} as const

const IN_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A share such as "one in seven" or "one pair in seven", beyond ten by whole tens. */
export function oneIn(share: number, what = ''): string {
  const number = 1 / share
  return `one ${what}${what && ' '}in ${IN_WORDS[Math.round(number)] ?? 10 * Math.round(number / 10)}`
}

/** A share such as "44 of 100". */
export const ofHundred = (share: number): string => `${Math.round(100 * share)} of 100`
