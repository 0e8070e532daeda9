import type { CommandContext, CommandResult } from '../command'
import { readSnapshot, type Snapshot, snapshotTables } from '../snapshot'

/**
 * Runs a command in one transaction, so that what it checked still holds when it writes. Without an identity it is
 * refused with `missing`.
 */
export async function runCommand<T>(
  context: CommandContext,
  missing: string,
  body: (snapshot: Snapshot) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  return context.db.transaction('rw', [...snapshotTables(context.db)], async () => {
    const snapshot = await readSnapshot(context.db)
    return snapshot === undefined ? { ok: false, message: missing } : body(snapshot)
  })
}

export const done: CommandResult = { ok: true, value: undefined }
