import type { CommandContext, CommandResult } from '../command'
import { readSnapshot, type Snapshot, snapshotTables } from '../snapshot'
import { writeTransaction } from '../with-room'

/**
 * Runs a command in one transaction, so that what it checked still holds when it writes. Without an identity it is
 * refused with `missing`. Where the storage is full, history gives way: what the user did is taken all the same.
 * @throws StorageFull where nothing is left to give way
 */
export async function runCommand<T>(
  context: CommandContext,
  missing: string,
  body: (snapshot: Snapshot) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  const { db } = context
  return writeTransaction<CommandResult<T>>(db, [...snapshotTables(db), db.owners], async () => {
    const snapshot = await readSnapshot(db)
    return snapshot === undefined ? { ok: false, message: missing } : body(snapshot)
  })
}

export const done: CommandResult = { ok: true, value: undefined }
