/** What the moving average is, beside its label: "average over 3 hours". @param days its window */
export function averageWords(days: number): string {
  const hours = days * 24
  if (hours < 24) return `average over ${hours === 1 ? '1 hour' : `${hours} hours`}`
  return `average over ${days === 1 ? '1 day' : `${days} days`}`
}

/** What the bands are, beside their label. */
export const BAND_WORDS = 'usual range around it'

/** What the estimated period is, beside its figure. @param ms null: none was found */
export const swingWords = (ms: number | null): string => (ms === null ? 'no clear swing' : 'one swing up and down')
