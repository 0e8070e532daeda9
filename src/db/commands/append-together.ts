import type { CommandContext } from '../command'
import { appendEntry, type NewEntry } from '../outbox'
import type { Kind } from '../outbox-entry'
import type { Snapshot } from '../snapshot'

/** Appends entries that stand or fall together. */
export async function appendTogether(
  context: CommandContext,
  snapshot: Snapshot,
  entries: readonly NewEntry<Kind>[],
): Promise<void> {
  const group = entries.length > 1 ? context.uuid() : null
  for (const entry of entries) await appendEntry(context, snapshot, { ...entry, group })
}
