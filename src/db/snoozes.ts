import type { OwnerId, WidgetId } from '../domain/ids'
import { isSnoozedAt } from '../domain/snooze'
import { readEntries } from './board-rows'
import type { LocalDatabase } from './database'
import { isLive } from './mutations/mutation-types'
import type { WidgetRow } from './rows'

interface Fired {
  readonly widget_id: WidgetId
  /** ISO 8601. */
  readonly crossed_at: string
}

/** Tells whether a crossing's pair was snoozed then, by the server's rows and the changes that it has not answered. */
export async function readSnoozes(
  db: LocalDatabase,
  owner: OwnerId,
  pairs: readonly WidgetRow[],
): Promise<(crossing: Fired) => boolean> {
  const until = new Map(pairs.map(({ id, snoozed_until }) => [id, snoozed_until]))
  for (const entry of await readEntries(db, owner)) {
    if (entry.kind !== 'widget.update@1' || !isLive(entry)) continue
    const { widget, body } = entry.payload
    if (body.snoozed_until !== undefined) until.set(widget, body.snoozed_until)
  }
  return ({ widget_id, crossed_at }) => isSnoozedAt(until.get(widget_id), Date.parse(crossed_at))
}
