import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../db/database'
import { readMeta } from '../../db/queries/meta'
import { inTime } from './patience'

/**
 * The server's public key for push (RFC 8292, base64url), waited for at a first visit, when the settings are still under
 * way. Null: this server sends none.
 */
export async function serverKey(db: LocalDatabase): Promise<string | null> {
  const known = await readMeta(db, 'config')
  if (known !== undefined) return known.config.vapid_public_key
  let stop = () => {}
  const loaded = new Promise<string | null>((resolve, reject) => {
    const query = liveQuery(() => readMeta(db, 'config')).subscribe({
      next: (value) => value && resolve(value.config.vapid_public_key),
      error: reject,
    })
    stop = () => query.unsubscribe()
  })
  return inTime(loaded, 'The server’s settings did not arrive within 10 seconds.').finally(() => stop())
}
