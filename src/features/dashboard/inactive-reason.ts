import { inactiveReason, type InactivePlace as Place } from '../../domain/tier-limits'
import type { InactiveNotice } from '../../state/card-slot'

/** Why widgets are inactive: the notice of the first of them, and that of all behind it. */
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
  return { code, upgrade: code !== 'TIER_LIMIT' ? null : place.account === 'guest' ? 'login' : 'upgrade' }
}
