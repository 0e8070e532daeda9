import { isTempId } from '../../domain/ids'
import { LONGEST_UNDO, UNDO_MARGIN } from '../../domain/undo'
import { canonical } from '../board'
import type { LocalDatabase } from '../database'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import { type HeldChange, isAsWritten } from '../held-change'
import { isHeld, isKnown, isLive, mutationTypeOf } from '../mutations/mutation-types'
import type { OutboxEntry } from '../outbox-entry'
import type { Snapshot } from '../snapshot'
import { writeTransaction } from '../write-transaction'

const TOO_LATE = 'This has been sent or changed since, so nothing was undone.'

/**
 * Takes a command back that has not been sent: its entries leave the outbox, and those that it had changed or removed are
 * there again as they were. Refused once the server may know of it, or where a later change builds on it.
 */
export function takeBack(context: CommandContext, change: HeldChange): Promise<CommandResult> {
  const { db } = context
  return runCommand(context, NO_SESSION, async (snapshot) => {
    if (!mayTakeBack(change, snapshot)) return { ok: false, message: TOO_LATE }
    await db.outbox.bulkDelete(change.written.map(({ seq }) => seq!))
    await db.outbox.bulkPut([...change.replaced])
    await db.widgets.bulkPut([...change.widgets])
    await db.checkpoints.bulkPut([...change.checkpoints])
    return done
  })
}

function mayTakeBack(change: HeldChange, { owner, entries, ids, shown, limits }: Snapshot): boolean {
  const { written, replaced, last, widgets } = change
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  if (owner !== change.owner || !written.every((entry) => isAsWritten(bySeq.get(entry.seq), entry))) return false

  /** A pair's settings, its checkpoints, or the layout. */
  const thingOf = (entry: OutboxEntry): string => {
    const widget = isKnown(entry) ? mutationTypeOf(entry).widget(entry.payload) : null
    return `${entry.kind.split('.')[0]} ${widget && canonical(ids, widget)}`
  }
  const later = entries.filter((entry) => entry.seq! > last && isLive(entry))
  const things = new Set([...written, ...replaced].map(thingOf))
  if (later.some((entry) => things.has(thingOf(entry)))) return false

  // The place of a removed pair may have been given to another.
  const bringsPair =
    written.some(({ kind }) => kind === 'widget.delete@1') ||
    replaced.some(({ kind }) => kind === 'widget.create@1') ||
    widgets.length > 0
  const isTaken = later.some(({ kind }) => kind === 'widget.create@1') && shown.length >= limits.max_widgets
  return !(bringsPair && isTaken) && areMakersThere(replaced, entries, ids)
}

/** A create may have been refused while an entry that wants its thing was out of the outbox. */
function areMakersThere(replaced: readonly OutboxEntry[], entries: readonly OutboxEntry[], ids: Snapshot['ids']) {
  const all = [...entries, ...replaced].filter(isLive)
  const made = new Set(all.map((entry) => mutationTypeOf(entry).createsId(entry.payload)))
  return replaced
    .filter(isLive)
    .flatMap((entry) => mutationTypeOf(entry).requires(entry.payload))
    .every((id) => !isTempId(id) || ids.has(id) || made.has(id))
}

/** Holds a change until then, in milliseconds, or until it cannot be taken back any more; not where it has been sent or changed since. */
export async function holdUntil(db: LocalDatabase, { at, written }: HeldChange, until: number): Promise<void> {
  await writeTransaction(db, [db.outbox], async () => {
    const now = await db.outbox.bulkGet(written.map(({ seq }) => seq!))
    const held = now.filter((entry, index) => isAsWritten(entry, written[index]!))
    const not_before = Math.min(until, at + LONGEST_UNDO + UNDO_MARGIN)
    await db.outbox.bulkPut(held.map((entry): OutboxEntry => ({ ...entry!, not_before })))
  })
}

/** The user leaves: what is held is due now. */
export async function releaseHeld({ db }: Pick<CommandContext, 'db'>): Promise<void> {
  await writeTransaction(db, [db.outbox], async () => {
    const held = (await db.outbox.toArray()).filter(isHeld)
    await db.outbox.bulkPut(held.map((entry): OutboxEntry => ({ ...entry, not_before: 0 })))
  })
}
