import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../db/database'
import { keepIdentity } from './keep-identity'

/**
 * Calls `changed` when other daily closes are stored than at its first look, or a matrix of another day. Reads no closes.
 * @param signal ends it
 */
export function followDailyCloses(db: LocalDatabase, changed: () => void, signal: AbortSignal): void {
  let known: object | null | undefined
  const look = async () => {
    const row = await db.daily_closes.get('usd')
    return row === undefined ? null : { source: row.source, etag: row.etag, lastDay: row.last_day }
  }
  const looks = liveQuery(look).subscribe(
    (found) => {
      const before = known
      known = keepIdentity(before, found)
      if (before !== undefined && before !== known) changed()
    },
    (error: unknown) => reportError(error),
  )
  signal.addEventListener('abort', () => looks.unsubscribe(), { once: true })
}
