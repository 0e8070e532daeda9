import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyOutcome } from '../../src/db/answers/apply-outcome'
import { raiseRevision } from '../../src/db/owner-sync-state'
import type { OutboxEntry } from '../../src/db/outbox-entry'
import { overlay } from '../../src/db/snapshot'
import { readEntries, readKnownIds, readWidgets, replaceWidgetRows } from '../../src/db/board-rows'
import type { CheckpointId, WidgetId } from '../../src/domain/ids'
import { createOf, entryOf, NOW, OWNER, testContext, uuid, widgetNumber } from './support/entries'

const NONE = new Map<string, string>()
const ids = (widgets: readonly { readonly id: string }[]): string[] => widgets.map(({ id }) => id)

test('the overlay shows the stored rows unchanged when no outbox entry waits', () => {
  const rows = [widgetNumber(0), widgetNumber(1)]
  expect(ids(overlay(rows, [], NONE, 5))).toEqual(ids(rows))
})

test('the overlay applies outbox entries in the order of the user’s actions, whatever order they are passed in', () => {
  const rows = [widgetNumber(0)]
  const update = (seq: number, high: number) =>
    entryOf(seq, 'widget.update@1', { widget: rows[0]!.id, body: { high_threshold: high } })
  expect(overlay(rows, [update(2, 20), update(1, 10)], NONE, 5)[0]!.high_threshold).toBe(20)
})

test('the overlay ignores failed outbox entries, so a refused change reverts by itself', () => {
  const failed = createOf(1, 7, { state: 'failed' })
  expect(overlay([widgetNumber(0)], [failed], NONE, 5)).toHaveLength(1)
})

test('the overlay skips a create whose row a pull has brought', () => {
  const create = createOf(1, 7)
  const row = widgetNumber(0, { created_by_op: create.op_id })
  expect(ids(overlay([row], [create], NONE, 5))).toEqual([row.id])
})

test('the overlay shows a pair once, and applies updates of the pending duplicate to the stored widget', () => {
  const row = widgetNumber(7)
  const update = entryOf(2, 'widget.update@1', { widget: 'temp-7' as WidgetId, body: { low_threshold: 3 } })
  const shown = overlay([row], [createOf(1, 7), update], NONE, 5)
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatchObject({ id: row.id, low_threshold: 3, waiting: 2 })
})

test('the overlay applies an entry with a temporary id to the row with the server’s id', () => {
  const row = widgetNumber(0)
  const entry = entryOf(1, 'widget.delete@1', { widget: 'temp-0' as WidgetId })
  expect(overlay([row], [entry], new Map([['temp-0', row.id]]), 5)).toEqual([])
})

test('the overlay leaves rows active or inactive as the server said, until an entry changes their order or number', () => {
  const rows = [0, 1, 2].map((n) => widgetNumber(n, { is_active: n < 1 }))
  const activity = (...entries: OutboxEntry[]) => overlay(rows, entries, NONE, 2).map(({ is_active }) => is_active)
  const update = entryOf(1, 'widget.update@1', { widget: rows[0]!.id, body: { high_threshold: 20 } })
  expect(activity(update)).toEqual([true, false, false])
  expect(activity(createOf(1, 7))).toEqual([true, false, false, false])
  expect(activity(entryOf(1, 'widget.delete@1', { widget: rows[0]!.id }))).toEqual([true, true])
})

test('the overlay shows a created pair as active as long as there are slots', () => {
  expect(
    overlay([widgetNumber(0)], [createOf(1, 7), createOf(2, 8)], NONE, 2).map(({ is_active }) => is_active),
  ).toEqual([true, true, false])
})

test('the overlay keeps the layout when a reorder would mix active and inactive widgets', () => {
  const rows = [0, 1, 2].map((n) => widgetNumber(n, { is_active: n < 2 }))
  const mix = entryOf(1, 'layout.reorder@1', { ordered_ids: [rows[2]!.id, rows[0]!.id, rows[1]!.id] })
  expect(ids(overlay(rows, [mix], NONE, 2))).toEqual(ids(rows))
})

test('the overlay ignores outbox entries of another version of the app', () => {
  const unknown = { ...createOf(1, 7), kind: 'widget.create@9' } as unknown as OutboxEntry
  expect(overlay([widgetNumber(0)], [unknown], NONE, 5)).toHaveLength(1)
})

/** Four changes that may be under way at the same time, and what the server says to each. */
const row = (n: number) => widgetNumber(n)
const checkpoint = {
  id: uuid(77) as CheckpointId,
  widget_id: row(2).id,
  ratio: 5,
  timestamp: '2026-01-01T00:00:00.000Z',
  is_default: true,
  display_order: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  user_id: null,
  created_by_op: uuid(4) as never,
}
// oxfmt-ignore
const CHANGES: readonly { readonly entry: OutboxEntry; readonly value: unknown }[] = [
  { entry: createOf(1, 9, { state: 'leased', lease: 'l1', attempts: 1 }), value: { ...row(9), created_by_op: uuid(1), display_order: 3 } },
  { entry: entryOf(2, 'widget.update@1', { widget: row(0).id, body: { high_threshold: 8 } }, { state: 'leased', lease: 'l2', attempts: 1 }), value: { ...row(0), high_threshold: 8 } },
  { entry: entryOf(3, 'widget.delete@1', { widget: row(1).id }, { state: 'leased', lease: 'l3', attempts: 1 }), value: null },
  { entry: entryOf(4, 'checkpoint.anonymous-create@1', { widget: row(2).id, checkpoint: 'temp-cp-1' as CheckpointId, body: { ratio: 5, timestamp: checkpoint.timestamp } }, { state: 'leased', lease: 'l4', attempts: 1 }), value: checkpoint },
]

test('answers to concurrent changes give the same screen in any order, at every moment between two answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }), async (order) => {
      const { db } = testContext()
      await db.session.put({ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER })
      await replaceWidgetRows(db, OWNER, [row(0), row(1), row(2)])
      await raiseRevision(db, OWNER)
      await db.outbox.bulkAdd(CHANGES.map(({ entry }) => entry))
      const screen = async () => {
        const known = await readKnownIds(db)
        const shown = overlay((await readWidgets(db))(OWNER), await readEntries(db, OWNER), known, 5)
        return shown.map((one) => [one.coin_a_id, one.high_threshold, one.checkpoints.map(({ ratio }) => ratio)])
      }
      const before = await screen()
      for (const index of order) {
        const { entry, value } = CHANGES[index]!
        await applyOutcome({ db, now: NOW, wait: () => 0 }, entry, { kind: 'done', value })
        expect(await screen()).toEqual(before)
      }
      expect(await db.outbox.count()).toBe(0)
      db.close()
    }),
    { numRuns: 24 },
  )
})

test('an answer is ignored when another context has leased its outbox entry by now', async () => {
  const { db } = testContext()
  await db.session.put({ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER })
  const { entry, value } = CHANGES[0]!
  await db.outbox.add({ ...entry, lease: 'another' })
  await applyOutcome({ db, now: NOW, wait: () => 0 }, entry, { kind: 'done', value })
  expect(await db.outbox.count()).toBe(1)
  expect(await db.widgets.count()).toBe(0)
})
