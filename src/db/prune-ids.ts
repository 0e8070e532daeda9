import { DAY } from '../domain/granularity'
import type { LocalDatabase } from './database'
import type { IdRow } from './rows'
import { writeTransaction } from './write-transaction'

/** Milliseconds that a temporary id is known here after its last use. */
const KEPT = 30 * DAY

/**
 * Forgets temporary ids that no row and no entry of any owner has named for 30 days. The time runs from the first call
 * that found them unused.
 */
export async function pruneIds(db: LocalDatabase, now: number): Promise<void> {
  await writeTransaction(db, [db.widgets, db.checkpoints, db.outbox, db.ids], async () => {
    const [known, widgets, checkpoints, entries] = await Promise.all([
      db.ids.toArray(),
      db.widgets.toCollection().primaryKeys(),
      db.checkpoints.toCollection().primaryKeys(),
      db.outbox.toArray(),
    ])
    // Entries of another version of the app count, too: an id is a string in payloads of any form.
    const used = new Set<string>([...widgets, ...checkpoints, ...entries.flatMap(({ payload }) => stringsIn(payload))])
    const isUsed = ({ temp, real }: IdRow): boolean => used.has(real) || used.has(temp)
    const isOver = (row: IdRow): boolean => row.unused_since !== undefined && now - row.unused_since >= KEPT

    const unused = known.filter((row) => !isUsed(row))
    const again = known.filter((row) => isUsed(row) && row.unused_since !== undefined)
    // A time in the future was noted while the clock was wrong.
    const fresh = unused.filter((row) => row.unused_since === undefined || row.unused_since > now)
    await db.ids.bulkDelete(unused.filter(isOver).map(({ temp }) => temp))
    await db.ids.bulkPut([
      ...fresh.map((row) => ({ ...row, unused_since: now })),
      ...again.map(({ temp, real, owner }) => ({ temp, real, ...(owner && { owner }) })),
    ])
  })
}

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
