import type { CommandContext } from '../command'
import type { AlertRow } from '../rows'
import { writeTransaction } from '../with-room'

type Context = Pick<CommandContext, 'db' | 'now'>

/** The user has seen them: they count in no badge any more. */
export const markAlertsSeen = ({ db, now }: Context, eventIds: readonly string[]): Promise<void> =>
  mark(db, eventIds, (row) => ({ ...row, seen_at: row.seen_at ?? now() }))

/** The user has dealt with its notification: no page has to tell of it any more. */
export const putAway = ({ db, now }: Context, eventId: string): Promise<void> =>
  mark(db, [eventId], (row) => ({ ...row, seen_at: row.seen_at ?? now(), toasted: true }))

/** The same, and they want to arm it again another time, and to be reminded. */
export const putOffRearming = ({ db, now }: Context, eventId: string): Promise<void> =>
  mark(db, [eventId], (row) => ({ ...row, seen_at: row.seen_at ?? now(), toasted: true, rearm_later: true }))

async function mark(
  db: Context['db'],
  eventIds: readonly string[],
  change: (row: AlertRow) => AlertRow,
): Promise<void> {
  await writeTransaction(db, [db.alerts], async () => {
    const rows = await db.alerts.bulkGet([...eventIds])
    await db.alerts.bulkPut(rows.filter((row) => row !== undefined).map(change))
  })
}
