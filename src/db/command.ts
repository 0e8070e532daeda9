import type { OwnerId, WidgetId } from '../domain/ids'
import { PAIR_GONE } from '../domain/pair'
import { canonical, type OptimisticWidget } from './board'
import type { LocalDatabase } from './database'
import { type HeldChange, heldChange } from './held-change'
import type { BoardRows } from './rows'
import { pairName, type Snapshot, snapshotOf } from './snapshot'
import { readBoardRows, readRowsAfter, snapshotTables } from './board-rows'
import { writeTransaction } from './write-transaction'

/** Dependencies of each command; clock and ids are arguments so that tests can steer them. */
export interface CommandContext {
  readonly db: LocalDatabase
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly uuid: () => string
  /** The owner that the page shows at the moment; undefined while it shows none yet. Absent where there is no page. */
  readonly shownOwner?: () => OwnerId | undefined
  /** Given the board's rows as a command has stored them, once they are stored; throws nothing. Absent where there is no page. */
  readonly onStored?: (rows: BoardRows) => void
  /** The command is not to be sent yet, so that it can be taken back. */
  readonly hold?: Hold
}

export interface Hold {
  /** Milliseconds. */
  readonly ms: number
  /** Given the trace of a command that has changed something, once it is stored. */
  readonly onHeld: (change: HeldChange) => void
}

/** A command that was refused locally changed nothing; `message` is the specification's sentence. */
export type CommandResult<T = undefined> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

export const NO_SESSION = 'User session not found. Please refresh and try again.'
const OTHER_OWNER = 'Another tab has logged in or out. Try again.'

const refusal = (message: string) => ({ result: { ok: false, message } as const })

/**
 * Runs a command in one transaction, so that its checks still hold when it writes. It is refused with `missing` before
 * there is an identity, and if the owner whom the page shows no longer uses this browser. If the storage is full, cached
 * history is evicted first. The page is given the board that is stored now: another read by its live query would take as long
 * as the command itself.
 * @throws StorageFull where nothing is left to evict
 */
export async function runCommand<T>(
  context: CommandContext,
  missing: string,
  body: (snapshot: Snapshot) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  const { db, onStored, hold } = context
  const shown = context.shownOwner?.()
  const { result, stored, held } = await writeTransaction(db, snapshotTables(db), async (): Promise<Run<T>> => {
    const rows = await readBoardRows(db)
    const snapshot = snapshotOf(rows)
    if (snapshot === undefined) return refusal(missing)
    if (shown !== undefined && shown !== snapshot.owner) return refusal(OTHER_OWNER)
    const result = await body(snapshot)
    if (!result.ok || (onStored === undefined && hold === undefined)) return { result }
    const stored = await readRowsAfter(db, rows)
    if (hold === undefined) return { result, stored }
    const held = heldChange(snapshot.owner, rows, stored, context.now(), context.now() + hold.ms)
    await db.outbox.bulkPut([...(held?.written ?? [])])
    return { result, stored: { ...stored, outbox: await db.outbox.toArray() }, held }
  })
  if (stored !== undefined) onStored?.(stored)
  if (held) hold?.onHeld(held)
  return result
}

interface Run<T> {
  readonly result: CommandResult<T>
  readonly stored?: BoardRows
  readonly held?: HeldChange | null
}

export const findShown = ({ shown, ids }: Snapshot, id: WidgetId): OptimisticWidget | undefined =>
  shown.find((widget) => widget.id === canonical(ids, id))

export const done: CommandResult = { ok: true, value: undefined }

/** A pair as a command finds it. */
export interface Found {
  readonly snapshot: Snapshot
  readonly widget: OptimisticWidget
  /** The user's name for it. */
  readonly label: string
}

/** Runs a command about one pair; refused where another device has removed it. */
export function runWidgetCommand<T>(
  context: CommandContext,
  missing: string,
  id: WidgetId,
  body: (found: Found) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  return runCommand(context, missing, async (snapshot) => {
    const widget = findShown(snapshot, id)
    if (widget === undefined) return { ok: false, message: PAIR_GONE }
    return body({ snapshot, widget, label: pairName(snapshot, widget.coin_a_id, widget.coin_b_id) })
  })
}
