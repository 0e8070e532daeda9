import type { OwnerId } from '../domain/ids'
import type { OutboxEntry } from './outbox-entry'
import { isUnsent } from './mutations/mutation-types'
import type { BoardRows, CheckpointRow, WidgetRow } from './rows'

/**
 * The trace of a command in the local database, by which it can be taken back as if it had never been given. Merged into
 * earlier entries or in their place, it is told from them by what the outbox was before.
 */
export interface HeldChange {
  readonly owner: OwnerId
  /** Milliseconds: time of the command. */
  readonly at: number
  /** Entries that it appended or changed, as it left them. */
  readonly written: readonly OutboxEntry[]
  /** Entries that it changed or removed, as they were. */
  readonly replaced: readonly OutboxEntry[]
  /** Entries with a greater `seq` are later. */
  readonly last: number
  /** Rows that it removed: those of pairs that the server has lost. */
  readonly widgets: readonly WidgetRow[]
  readonly checkpoints: readonly CheckpointRow[]
}

type Rows = Pick<BoardRows, 'outbox' | 'widgets' | 'checkpoints'>

/** Those of `some` that `others` lack or have otherwise. */
const notIn = <R>(some: readonly R[], others: readonly R[]): readonly R[] => {
  const known = new Set(others.map((row) => JSON.stringify(row)))
  return some.filter((row) => !known.has(JSON.stringify(row)))
}

/**
 * The trace of a command; null: it changed nothing. Its entries are not to be sent before `until`.
 * @param at milliseconds, as `until`
 */
export function heldChange(owner: OwnerId, before: Rows, after: Rows, at: number, until: number): HeldChange | null {
  const written = notIn(after.outbox, before.outbox)
  const change = {
    owner,
    at,
    written: written.map((entry): OutboxEntry => ({ ...entry, not_before: Math.max(entry.not_before, until) })),
    replaced: notIn(before.outbox, after.outbox),
    last: Math.max(0, ...[...before.outbox, ...after.outbox].map(({ seq }) => seq!)),
    widgets: notIn(before.widgets, after.widgets),
    checkpoints: notIn(before.checkpoints, after.checkpoints),
  }
  const isNothing = written.length + change.replaced.length + change.widgets.length === 0
  return isNothing ? null : change
}

/** The server cannot have seen the entry, and no later command has changed it. */
export const isAsWritten = (entry: OutboxEntry | undefined, written: OutboxEntry): boolean =>
  entry !== undefined &&
  isUnsent(entry) &&
  entry.op_id === written.op_id &&
  JSON.stringify(entry.payload) === JSON.stringify(written.payload)
