import { type LocalDatabase, readMeta } from './database'
import { storeMeta } from './write-transaction'

/** Below this many milliseconds the clocks count as equal: the server says whole seconds, and answers travel. */
const EQUAL = 30_000

/** Milliseconds by which this device's clock is ahead of the server's, as of the server's last answer; 0 before the first. */
export const readClockAhead = async (db: LocalDatabase): Promise<number> =>
  (await readMeta(db, 'server_clock'))?.ahead ?? 0

/**
 * Notes how this device's clock stands to the server's.
 * @param serverTime the server's time of an answer, milliseconds
 * @param now milliseconds, of this device
 */
export async function noteServerTime(db: LocalDatabase, serverTime: number, now: number): Promise<void> {
  const measured = now - serverTime
  const ahead = Math.abs(measured) < EQUAL ? 0 : measured
  // Written only when the clock has been set: on most devices never again.
  if (Math.abs(ahead - (await readClockAhead(db))) >= EQUAL) await storeMeta(db, 'server_clock', { ahead })
}
