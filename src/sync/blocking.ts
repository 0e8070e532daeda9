import { isTempId } from '../domain/ids'
import { canonical, type KnownIds } from '../db/ids'
import { isLive, mutationTypeOf } from '../db/mutations/mutation-types'
import type { OutboxEntry } from '../db/outbox-entry'
import { isRetryDue } from './pacing'

/*
 *   what may run at the same time, and what waits for whom (earlier one above, later one to the left)
 *
 *                     create   delete   reorder   change
 *   create            waits    waits    waits     –        a create waits for all earlier creates and deletes
 *   delete            –        –        waits     –        creates and deletes wait for an earlier reorder
 *   reorder           waits    waits    waits     (1)
 *   change            –        –        (1)       –
 *
 *   entries of one widget always go in their order; (1) nothing is under way beside a reorder, either way round;
 *   an entry that the server cannot do although it does others (`passable`), and what stands behind it, is waited for
 *   by its own widget only
 */

/** Pairs that the server has lost: what is done to them waits until the guest has said what is to become of them. */
export type LostPairIds = ReadonlySet<string>

const resolved = (entry: OutboxEntry, ids: KnownIds): boolean =>
  mutationTypeOf(entry)
    .requires(entry.payload)
    .every((id) => !isTempId(id) || ids.has(id))

const widgetOf = (entry: OutboxEntry, ids: KnownIds): string | null => {
  const widget = mutationTypeOf(entry).widget(entry.payload)
  return widget === null ? null : canonical(ids, widget)
}

/** Operations that hold up their own widget only: those the server cannot do, and those that stand behind one. */
function passableIn(queue: readonly OutboxEntry[], ids: KnownIds): ReadonlySet<string> {
  const stuck = queue.filter((entry) => entry.passable === true && isLive(entry))
  if (stuck.length === 0) return new Set()
  const isBehind = (entry: OutboxEntry, first: OutboxEntry): boolean => {
    const widget = widgetOf(entry, ids)
    return entry.seq! > first.seq! && widget !== null && widget === widgetOf(first, ids)
  }
  const passable = queue.filter(
    (entry) => stuck.includes(entry) || (isLive(entry) && stuck.some((first) => isBehind(entry, first))),
  )
  return new Set(passable.map((entry) => entry.op_id))
}

/** The first of two would else be answered by what the second has made, and what follows the first would be done to that. */
const makesSamePair = (a: OutboxEntry, b: OutboxEntry): boolean =>
  a.kind === 'widget.create@1' &&
  b.kind === 'widget.create@1' &&
  a.payload.body.coin_a_id === b.payload.body.coin_a_id &&
  a.payload.body.coin_b_id === b.payload.body.coin_b_id

/** Whether `entry` must wait for `other`, whatever the clock says. */
function waitsFor(entry: OutboxEntry, other: OutboxEntry, ids: KnownIds, passable: ReadonlySet<string>): boolean {
  const mine = mutationTypeOf(entry).conflictClass
  const its = mutationTypeOf(other).conflictClass
  if (other.state === 'leased' && (mine === 'reorder' || its === 'reorder')) return true
  if (other.seq! > entry.seq!) return false
  const widget = widgetOf(entry, ids)
  if (widget !== null && widget === widgetOf(other, ids)) return true
  if (passable.has(other.op_id) && !makesSamePair(entry, other)) return false
  switch (mine) {
    case 'create':
      return its === 'create' || its === 'delete' || its === 'reorder'
    case 'delete':
      return its === 'reorder'
    case 'reorder':
      return its === 'create' || its === 'delete' || its === 'reorder'
    case 'change':
      return false
  }
}

/**
 * Whether anything but the clock keeps an entry from being sent.
 * @param queue all entries of its owner
 */
export function isBlocked(
  entry: OutboxEntry,
  queue: readonly OutboxEntry[],
  ids: KnownIds,
  lost: LostPairIds,
): boolean {
  if (entry.state !== 'waiting' || !isLive(entry) || !resolved(entry, ids)) return true
  const widget = widgetOf(entry, ids)
  if (widget !== null && lost.has(widget)) return true
  const passable = passableIn(queue, ids)
  return queue.some((other) => other.op_id !== entry.op_id && isLive(other) && waitsFor(entry, other, ids, passable))
}

/** The first entry that may be sent now. */
export const nextToSend = (
  queue: readonly OutboxEntry[],
  ids: KnownIds,
  lost: LostPairIds,
  now: number,
): OutboxEntry | undefined =>
  queue.find((entry) => isRetryDue(entry.not_before, now) && !isBlocked(entry, queue, ids, lost))

/** Milliseconds at which the next entry that nothing blocks is due; null: none. */
export function nextDueAt(queue: readonly OutboxEntry[], ids: KnownIds, lost: LostPairIds, now: number): number | null {
  const times = queue
    .filter((entry) => !isBlocked(entry, queue, ids, lost))
    .map((entry) => (isRetryDue(entry.not_before, now) ? now : entry.not_before))
  return times.length === 0 ? null : Math.min(...times)
}
