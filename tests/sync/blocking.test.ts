import { expect, test } from 'vitest'
import type { OutboxEntry } from '../../src/db/outbox-entry'
import type { WidgetId } from '../../src/domain/ids'
import { isBlocked, nextToSend } from '../../src/sync/outbox-lease'
import { createOf, entryOf, NOW, widgetNumber } from '../db/support/entries'

const NONE = new Map<string, string>()
const NOTHING = new Set<string>()
const W = (n: number): WidgetId => widgetNumber(n).id
const update = (seq: number, widget: WidgetId, change = {}) =>
  entryOf(seq, 'widget.update@1', { widget, body: {} }, change)
const remove = (seq: number, widget: WidgetId, change = {}) => entryOf(seq, 'widget.delete@1', { widget }, change)
const reorder = (seq: number, change = {}) => entryOf(seq, 'layout.reorder@1', { ordered_ids: [] }, change)

test('outbox entries of one widget are sent in order, those of other widgets side by side', () => {
  const queue = [update(1, W(1), { state: 'leased' }), update(2, W(1)), update(3, W(2))]
  expect(nextToSend(queue, NONE, NOTHING, NOW)?.seq).toBe(3)
})

test('outbox entries that name one widget by its temporary and by its real id block each other', () => {
  const queue = [update(1, W(1), { state: 'leased' }), update(2, 'temp-1' as WidgetId)]
  expect(isBlocked(queue[1]!, queue, new Map([['temp-1', W(1)]]), NOTHING)).toBe(true)
})

test.each([
  ['a create', createOf(2, 2), 'an earlier create', createOf(1, 1), true],
  ['a create', createOf(2, 2), 'an earlier delete', remove(1, W(1)), true],
  ['a create', createOf(2, 2), 'an earlier reorder', reorder(1), true],
  ['a create', createOf(2, 2), 'an earlier change', update(1, W(1)), false],
  ['a delete', remove(2, W(2)), 'an earlier create', createOf(1, 1), false],
  ['a delete', remove(2, W(2)), 'an earlier delete', remove(1, W(1)), false],
  ['a delete', remove(2, W(2)), 'an earlier reorder', reorder(1), true],
  ['a reorder', reorder(2), 'an earlier create', createOf(1, 1), true],
  ['a reorder', reorder(2), 'an earlier delete', remove(1, W(1)), true],
  ['a reorder', reorder(2), 'an earlier reorder', reorder(1), true],
  ['a reorder', reorder(2), 'an earlier change', update(1, W(1)), false],
  ['a reorder', reorder(2), 'a change under way', update(1, W(1), { state: 'leased' }), true],
  ['a change', update(1, W(1)), 'a later reorder under way', reorder(2, { state: 'leased' }), true],
  ['a change', update(2, W(1)), 'an earlier create of another', createOf(1, 1), false],
  ['a create', createOf(2, 2), 'a create that the server cannot do', createOf(1, 1, { passable: true }), false],
  ['a delete', remove(2, W(2)), 'an order that the server cannot do', reorder(1, { passable: true }), false],
  ['a reorder', reorder(2), 'a delete that the server cannot do', remove(1, W(1), { passable: true }), false],
  [
    'a change',
    update(2, W(1)),
    'a change of its pair that the server cannot do',
    update(1, W(1), { passable: true }),
    true,
  ],
  ['a change', update(2, W(1)), 'a failed one of the same', update(1, W(1), { state: 'failed' }), false],
])('an outbox entry is blocked as the table says: %s (%s) beside %s', (_, entry, __, other, waits) => {
  expect(isBlocked(entry, [entry, other], NONE, NOTHING)).toBe(waits)
})

test('an outbox entry that names a temporary id waits until the real id is known', () => {
  const entry = update(2, 'temp-1' as WidgetId)
  expect(isBlocked(entry, [entry], NONE, NOTHING)).toBe(true)
  expect(isBlocked(entry, [entry], new Map([['temp-1', W(1)]]), NOTHING)).toBe(false)
})

test('a removal that stands behind a change that the server cannot do holds up nothing but its own pair', () => {
  const queue = [update(1, W(1), { passable: true }), remove(2, W(1)), createOf(3, 3), reorder(4)]
  expect(queue.map((entry) => isBlocked(entry, queue, NONE, NOTHING))).toEqual([false, true, false, true])
})

test('a pair that is added again waits for the first addition, also if the server cannot do that', () => {
  const first = createOf(1, 1, { passable: true })
  const again = entryOf(3, 'widget.create@1', {
    ...(first as OutboxEntry<'widget.create@1'>).payload,
    widget: 'temp-9' as WidgetId,
  })
  expect(isBlocked(again, [first, remove(2, 'temp-1' as WidgetId), again], NONE, NOTHING)).toBe(true)
})

test('an outbox entry of a pair that the server has lost waits', () => {
  const entry = update(1, W(1))
  expect(isBlocked(entry, [entry], NONE, new Set([W(1)]))).toBe(true)
  expect(isBlocked(entry, [entry], NONE, new Set([W(2)]))).toBe(false)
})
