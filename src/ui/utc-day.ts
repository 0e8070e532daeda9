import { DAY } from '../domain/granularity'

// Daily closes are of UTC days: the user's own day would name the next or the last one.
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Such as "Nov 22". @param day number of a UTC day since 1970 */
export const dayWords = (day: number): string => shortDay.format(day * DAY)
