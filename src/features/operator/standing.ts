import type { Asked } from '../../state/use-answer'
import { formatMoment } from '../../ui/moment'

/** How new the server's figures are, and why they are no newer. `now` in milliseconds. */
export function standing(asked: Asked<unknown>, online: boolean, now: number): string {
  switch (asked.kind) {
    case 'waiting':
      return 'Loading…'
    case 'failed':
      return online && asked.failure.status !== 0 ? 'Not available' : 'Offline'
    case 'known': {
      const moment = formatMoment(asked.at, now)
      if (!online || asked.failure?.status === 0) return `Offline: figures of ${moment}`
      return asked.failure === null ? `Updated ${moment}` : `${asked.failure.message} Figures of ${moment}`
    }
  }
}
