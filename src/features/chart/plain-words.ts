/** Stands beside the label of the moving average: "average over 3 hours". @param days its window */
export function averageWords(days: number): string {
  const hours = days * 24
  if (hours < 24) return `average over ${hours === 1 ? '1 hour' : `${hours} hours`}`
  return `average over ${days === 1 ? '1 day' : `${days} days`}`
}

/** Stands beside the label of the bands. */
export const BAND_WORDS = 'usual range around it'

/** Stands beside the estimated period. @param ms null: none was found */
export const swingWords = (ms: number | null): string => (ms === null ? 'no clear swing' : 'one swing up and down')
