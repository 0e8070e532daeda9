import type { ChangeView } from '../../db/view'
import { formatMoment } from '../../ui/moment'

/** Where a change stands, in one line. `now` in milliseconds. */
export function changeStatus(change: ChangeView, now: number): string {
  const since = formatMoment(change.since, now)
  switch (change.state) {
    case 'sending':
      return 'Being sent now'
    case 'failed':
      return change.problem ?? 'The server refused it.'
    case 'unknown-version':
      return 'Made by a newer version of the app; update to send it.'
    case 'waiting': {
      const next = change.nextTryAt
      if (change.attempts > 0 && (next === null || next <= now)) return `Sent, no answer yet; waiting since ${since}`
      return next === null || next <= now
        ? `Waiting since ${since}`
        : `Waiting since ${since}, next try at ${formatMoment(next, now)}`
    }
  }
}
