import type { PGlite } from '@electric-sql/pglite'
import { MINUTE } from '../../src/domain/granularity'

/** The database's log may grow by this much before a checkpoint lets PostgreSQL use its files again. Bytes. */
const LOG_BETWEEN = 48_000_000
/** A log that has grown at all gets a checkpoint this often. Milliseconds. */
const TIME_BETWEEN = 5 * MINUTE
/** The log's position is asked for after this many messages, or this many bytes of them. */
const MESSAGES_BETWEEN = 50
const BYTES_BETWEEN = 1_000_000

/**
 * PGlite has no checkpointer process: without CHECKPOINT the log (pg_wal) grows for as long as the server runs, and the
 * start after a kill has to replay all of it.
 */
export function checkpoints(database: PGlite, now: () => number) {
  let messages = 0
  let bytes = 0
  let made = { position: 0, at: now() }

  const position = async (): Promise<number> => {
    const { rows } = await database.query<{ at: string }>(`SELECT (pg_current_wal_lsn() - '0/0')::text AS at`)
    return Number(rows[0]?.at)
  }

  return {
    /** The log of a database that was opened just now is as short as it gets. */
    begin: async () => {
      made = { position: await position(), at: now() }
    },
    /**
     * To be called after a message, while the session is idle.
     * @param size bytes of the message
     */
    after: async (size: number): Promise<void> => {
      messages += 1
      bytes += size
      if (messages < MESSAGES_BETWEEN && bytes < BYTES_BETWEEN) return
      messages = 0
      bytes = 0
      const grown = (await position()) - made.position
      const waited = now() - made.at
      if (grown < LOG_BETWEEN && (grown === 0 || waited < TIME_BETWEEN)) return
      await database.exec('CHECKPOINT')
      made = { position: await position(), at: now() }
    },
  }
}
