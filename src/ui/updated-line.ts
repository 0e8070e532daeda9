import { formatAge } from '../domain/format-time'
import { formatMoment } from './moment'

/** Such as "2 min ago (10:42)"; both in milliseconds. */
export const updatedLine = (at: number | undefined, now: number): string =>
  at === undefined ? 'Not yet' : `${formatAge(now - at)} (${formatMoment(at, now)})`
