import type { CommandContext, CommandResult } from '../command'
import { readSnapshot, type Snapshot, snapshotTables } from '../snapshot'
import { writeTransaction } from '../with-room'

const SOMEBODY_ELSE = 'Another tab has logged in or out. Try again.'

/**
 * Runs a command in one transaction, so that what it checked still holds when it writes. Without an identity it is
 * refused with `missing`, and also for somebody whom the page shows but who no longer uses this browser. If the storage
 * is full, history gives way: the user's change is taken all the same.
 * @throws StorageFull where nothing is left to give way
 */
export async function runCommand<T>(
  context: CommandContext,
  missing: string,
  body: (snapshot: Snapshot) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  const { db } = context
  const shown = context.shownOwner?.()
  return writeTransaction<CommandResult<T>>(db, [...snapshotTables(db), db.owners], async () => {
    const snapshot = await readSnapshot(db)
    if (snapshot === undefined) return { ok: false, message: missing }
    return shown === undefined || shown === snapshot.owner ? body(snapshot) : { ok: false, message: SOMEBODY_ELSE }
  })
}

export const done: CommandResult = { ok: true, value: undefined }
