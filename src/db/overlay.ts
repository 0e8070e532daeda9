import type { Widget } from '../contract/widget'
import { type Board, fromRow, type LaidWidget } from './board'
import { canonical, type KnownIds } from './ids'
import { isLive, rulesOf } from './kinds/registry'
import type { Entry } from './outbox-entry'

/**
 * What the screen shows: the server's rows with everything laid over them that the user has done since.
 *
 *     rows (what the server last said) ── entry ── entry ── entry ──> screen
 *
 * Failed entries are left out, so a refused change reverts by itself.
 * @param rows in display order
 * @param entries of the same owner, in any order
 * @param slots how many of the first widgets the server makes active when their order or number changes
 */
export function overlay(
  rows: readonly Widget[],
  entries: readonly Entry[],
  ids: KnownIds,
  slots: number,
): LaidWidget[] {
  // Which of its rows are active is the server's word until an entry changes their order or number.
  const widgets = rows.map((row, display_order) => ({ ...fromRow(row), display_order }))
  let board: Board = { widgets, slots, resolve: (id) => canonical(ids, id) }
  const live = entries.filter(isLive).toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
  for (const entry of live) board = rulesOf(entry).lay(board, entry)

  const waiting = new Map<string, number>()
  for (const entry of live) {
    const widget = rulesOf(entry).widget(entry.payload)
    if (widget === null) continue
    const id = board.resolve(widget)
    waiting.set(id, (waiting.get(id) ?? 0) + 1)
  }
  return board.widgets.map((widget) => ({ ...widget, waiting: waiting.get(widget.id) ?? 0 }))
}
