import { MISSING } from './format-number'
import { DAY, HOUR, MINUTE } from './granularity'

const SECOND = 1000
const UNITS = [
  { name: 'seconds', ms: SECOND, below: 60 },
  { name: 'minutes', ms: MINUTE, below: 60 },
  { name: 'hours', ms: HOUR, below: 24 },
  { name: 'days', ms: DAY, below: Infinity },
] as const

/** An estimated oscillation period: "~3.2 days", "~45.0 minutes"; "N/A" where none was found. */
export function formatEstimatedPeriod(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms) || ms < 0) return MISSING
  for (const unit of UNITS) {
    // Compared as shown, so that 59.97 minutes reads "1.0 hours" and not "60.0 minutes".
    const shown = (ms / unit.ms).toFixed(1)
    if (Number(shown) < unit.below) return `~${shown} ${unit.name}`
  }
  return MISSING
}

/** How long ago, in plain words: "just now", "2 min ago", "3 h ago", "1 day ago". A future time is just now. */
export function formatAge(ms: number): string {
  if (!Number.isFinite(ms)) return MISSING
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  const days = Math.floor(ms / DAY)
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** Milliseconds below which an age in seconds reads "now": prices of the second would make it flicker. */
const NOW_BELOW = 5 * SECOND

/** The same with the seconds of the first minute: "now", "12 s ago", "2 min ago". */
export function formatAgeInSeconds(ms: number): string {
  if (!(ms < MINUTE)) return formatAge(ms)
  return ms < NOW_BELOW ? 'now' : `${Math.floor(ms / SECOND)} s ago`
}

/** Local time of a day, such as "10:42"; milliseconds. Without Intl, whose formats cost a phone 20 ms to make: the first screen shows it. */
export function formatClock(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
