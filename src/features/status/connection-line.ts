import type { MetaRows } from '../../db/rows'
import { formatMoment } from '../../ui/moment'

/** What stands between this device and the server, in one line. `now` in milliseconds. */
export function connectionLine(online: boolean, sync: MetaRows['sync_state'] | undefined, now: number): string {
  if (!online) return 'Offline: no network'
  if (sync === undefined) return 'Not tried yet'
  if (sync.unreachable_since !== null) return `Offline: no answer since ${formatMoment(sync.unreachable_since, now)}`
  return sync.problem ?? 'Connected'
}
