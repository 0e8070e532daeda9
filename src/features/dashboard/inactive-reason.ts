import { inactiveReason, type InactivePlace as Place } from '../../domain/inactive-reason'
import type { InactiveNotice } from '../../state/card-slot'

const pairs = (count: number) => (count === 1 ? '1 pair' : `${count} pairs`)

/** Why inactive widgets show no figures: the notice of the first of them, and that of all behind it. */
export interface InactiveNotices {
  readonly first: InactiveNotice
  readonly rest: InactiveNotice
}

export const inactiveNotices = (place: Omit<Place, 'index'>): InactiveNotices => ({
  first: notice({ ...place, index: 0 }),
  rest: notice({ ...place, index: 1 }),
})

function notice(place: Place): InactiveNotice {
  const code = inactiveReason(place)
  const limit = { code, title: 'Limit Reached' }
  switch (code) {
    case 'NOT_YET_ACTIVE':
      return { code, title: 'Inactive', reason: 'This pair is tracked again after the next update.', upgrade: null }
    case 'MAX_LIMIT_NEXT_UP':
      return { ...limit, reason: 'Next in line: it becomes active when you remove an active pair.', upgrade: null }
    case 'MAX_LIMIT_QUEUED':
      return { ...limit, reason: 'Waits in line: it moves up when you remove an active pair.', upgrade: null }
    case 'TIER_LIMIT':
      // Before the limits have been loaded the server's word, which pairs are active, is better than the fallback.
      return {
        ...limit,
        reason: `Your tier tracks ${pairs(Math.max(place.max, place.active))}. Remove an active pair to track this one, or upgrade to track more.`,
        upgrade: place.account === 'guest' ? 'login' : 'upgrade',
      }
  }
}
