import { DAY } from '../domain/granularity'

// Daily closes are of UTC days: the user's own day would name the next or the last one.
let shortDay: Intl.DateTimeFormat | undefined

/** Such as "Nov 22"; the browser's format is made at the first use. @param day number of a UTC day since 1970 */
export const dayWords = (day: number): string =>
  (shortDay ??= new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })).format(
    day * DAY,
  )
