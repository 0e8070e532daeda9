import { expect, test } from 'vitest'
import type { CommandContext } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { addWidget, removeWidget, reorderWidgets, setAlerts, updateWidget } from '../../src/db/commands/widgets'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { ensureIdentity } from '../../src/db/identity'
import { discardChange, retryChange } from '../../src/db/commands/failed-changes'
import { setThreshold } from '../support/set-threshold'
import { snapshotOf } from '../../src/db/snapshot'
import { boardOf, type BoardView, findWidget } from '../../src/db/view'
import { putWidgetRow, readBoard } from '../../src/db/board-rows'
import { ANONYMOUS_ID_PATTERN, type CoinId, type OpId, type WidgetId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { NOW, testContext } from './support/entries'
import { guestContext, kindsOf, sendAll } from './support/people'

const RANDOM = new Uint8Array(24).map((_, index) => index * 7)
const [A, B, C] = ['aaa', 'bbb', 'ccc'] as CoinId[] as [CoinId, CoinId, CoinId]

const add = async (context: CommandContext, coinA: CoinId, coinB: CoinId): Promise<WidgetId> => {
  const result = await addWidget(context, { coinA, coinB })
  if (!result.ok) throw new Error(result.message)
  return result.value
}
test('two concurrent ensureIdentity calls give the same anonymous id, in the form that the server accepts', async () => {
  const context = testContext()
  const [first, second] = await Promise.all([
    ensureIdentity(context, RANDOM),
    ensureIdentity(context, RANDOM.toReversed()),
  ])
  expect(first).toMatch(ANONYMOUS_ID_PATTERN)
  expect(second).toBe(first)
})

const id = 'x' as WidgetId
const noSession = 'User session not found. Please refresh and try again.'
const noContext = (what: string) => `Authentication context not available. Cannot ${what}.`
test.each<[string, (context: CommandContext) => Promise<unknown>, string]>([
  ['adding a pair', (context) => addWidget(context, { coinA: A, coinB: B }), noContext('add widget')],
  ['removing a pair', (context) => removeWidget(context, id), noContext('remove widget')],
  ['changing a pair', (context) => updateWidget(context, id, {}), noContext('update widget')],
  ['a threshold', (context) => setThreshold(context, id, 'high', 1, true), noContext('update widget')],
  ['alerts', (context) => setAlerts(context, id, true, 1), noContext('update widget')],
  ['a new order', (context) => reorderWidgets(context, [id]), noContext('save the layout')],
  ['saving a checkpoint', (context) => saveCheckpoint(context, id, 1), noSession],
  ['deleting a checkpoint', (context) => deleteDefaultCheckpoint(context, id), noSession],
  ['the popover', (context) => commitCheckpoints(context, id, { deleted: [], order: [], defaultId: null }), noSession],
  ['an addition', (context) => addCheckpoint(context, id, 1, { deleted: [], order: [], defaultId: null }), noSession],
  ['trying again', (context) => retryChange(context, 'op' as OpId), noSession],
])('a command without an identity is refused with its message: %s', async (_, change, message) => {
  expect(await change(testContext())).toEqual({ ok: false, message })
})

test('a command gives its page the board as it has stored it, and a refused one gives it nothing', async () => {
  const boards: (BoardView | undefined)[] = []
  const context: CommandContext = {
    ...(await guestContext()),
    onStored: (rows) => boards.push(boardOf(snapshotOf(rows)!)),
  }
  const id = await add(context, A, B)
  expect(boards).toEqual([await readBoard(context.db)])
  await setThreshold(context, id, 'high', 2, true)
  await removeWidget(context, id)
  expect(boards.map((board) => board!.widgets.map(({ alerts }) => alerts.high.threshold))).toEqual([[null], [2], []])
  expect(await updateWidget(context, id, {})).toMatchObject({ ok: false })
  expect(boards).toHaveLength(3)
})

test('a pair that the user adds is on the board at once as pending, with its change waiting', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  const board = (await readBoard(context.db))!
  expect(board.widgets).toHaveLength(1)
  expect(board.widgets[0]).toMatchObject({ id, isPending: true, isActive: true, waiting: 1 })
  expect(board.changes[0]).toMatchObject({ title: 'Add AAA/BBB', state: 'waiting' })
})

test('addWidget refuses a pair that already waits in the outbox, and a pair beyond the tier’s limit', async () => {
  const context = await guestContext()
  await add(context, A, B)
  expect(await addWidget(context, { coinA: A, coinB: B })).toMatchObject({
    ok: false,
    message: 'The exact pair AAA/BBB already exists.',
  })
  for (const [one, other] of [
    [B, A],
    [A, C],
    [C, A],
    [B, C],
  ] as const)
    await add(context, one, other)
  expect(await addWidget(context, { coinA: C, coinB: B })).toMatchObject({
    ok: false,
    message: 'Maximum number of widgets (5) reached for your account tier. Upgrade to add more widgets.',
  })
  expect(await context.db.outbox.count()).toBe(5)
})

test('of two concurrent addWidget calls for the same pair exactly one succeeds', async () => {
  const context = await guestContext()
  const results = await Promise.all([1, 2].map(() => addWidget(context, { coinA: A, coinB: B })))
  expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true])
})

test('removing a never-sent widget drops its create, the entries that reference it and its id in a reorder', async () => {
  const context = await guestContext()
  const other = await add(context, C, B)
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 } } })
  await saveCheckpoint(context, id, 3)
  await reorderWidgets(context, [id, other])
  await removeWidget(context, id)
  const entries = await context.db.outbox.orderBy('seq').toArray()
  expect(entries.map(({ kind }) => kind)).toEqual(['widget.create@1', 'layout.reorder@1'])
  expect(entries[1]!.payload).toEqual({ ordered_ids: [other] })
})

test('removing a widget whose create was sent queues a delete behind the create', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await sendAll(context)
  await removeWidget(context, id)
  expect(await kindsOf(context)).toEqual(['widget.create@1', 'widget.delete@1'])
  expect((await readBoard(context.db))!.widgets).toEqual([])
})

test('a later widget update merges into an unsent update field by field', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 }, low: { threshold: 1 } } })
  await updateWidget(context, id, { alerts: { high: { threshold: 3 }, low: {} } })
  const updates = await context.db.outbox.filter(({ kind }) => kind === 'widget.update@1').toArray()
  expect(updates.map(({ payload }) => payload)).toEqual([{ widget: id, body: { high_threshold: 3, low_threshold: 1 } }])
})

test('a widget update that was sent stays unchanged in the outbox, and a later update is queued behind', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 } } })
  await sendAll(context)
  await updateWidget(context, id, { alerts: { high: { threshold: 3 } } })
  expect(await kindsOf(context)).toEqual(['widget.create@1', 'widget.update@1', 'widget.update@1'])
})

test('widget updates by temporary id and by the server’s id merge into one entry and show on one widget', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 } } })
  const create = (await context.db.outbox.orderBy('seq').first())!
  const real = 'real-id' as WidgetId
  await context.db.ids.put({ temp: id, real })
  await context.db.outbox.delete(create.seq!)
  const row = wireWidget({ id: real, coin_a_id: A, coin_b_id: B, created_by_op: create.op_id })
  await putWidgetRow(context.db, create.owner, row, 'may-insert')
  await updateWidget(context, real, { alerts: { high: { threshold: 4 } } })
  await updateWidget(context, id, { alerts: { low: { threshold: 1 } } })
  expect(await kindsOf(context)).toEqual(['widget.update@1'])
  const board = (await readBoard(context.db))!
  expect(findWidget(board, id)).toBe(findWidget(board, real))
  expect(findWidget(board, id)).toMatchObject({ key: id, alerts: { high: { threshold: 4 }, low: { threshold: 1 } } })
})

test('a new reorder replaces an unsent reorder, with a new operation id and a new debounce', async () => {
  let now = NOW
  const context = await guestContext(() => now)
  const [one, two] = [await add(context, A, B), await add(context, B, A)]
  await reorderWidgets(context, [two, one])
  const first = (await context.db.outbox.orderBy('seq').last())!
  now += 3_000
  await reorderWidgets(context, [one, two])
  await reorderWidgets(context, [two, one])
  const reorders = await context.db.outbox.filter(({ kind }) => kind === 'layout.reorder@1').toArray()
  expect(reorders).toHaveLength(1)
  expect(reorders[0]!.op_id).not.toBe(first.op_id)
  expect(reorders[0]!.not_before).toBe(now + 4_000)
  expect((await readBoard(context.db))!.layout).toBe('dirty')
})

test('deleting a guest’s checkpoint also deletes the already sent checkpoint that was replaced before', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await saveCheckpoint(context, id, 3)
  await sendAll(context)
  await saveCheckpoint(context, id, 4)
  expect((await readBoard(context.db))!.widgets[0]!.checkpoints.map(({ ratio }) => ratio)).toEqual([4])
  await deleteDefaultCheckpoint(context, id)
  expect((await readBoard(context.db))!.widgets[0]!.checkpoints).toEqual([])
  expect(await kindsOf(context)).toEqual([
    'widget.create@1',
    'checkpoint.anonymous-create@1',
    'checkpoint.anonymous-delete@1',
  ])
})

test('a guest’s checkpoint that was refused and is retried behind a delete takes a delete of its own', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await saveCheckpoint(context, id, 3)
  await sendAll(context)
  await saveCheckpoint(context, id, 4)
  const refused = (await context.db.outbox.orderBy('seq').last())!
  await context.db.outbox.update(refused.seq!, { state: 'failed', failed_at: NOW, attempts: 1 })
  await deleteDefaultCheckpoint(context, id)
  await retryChange(context, refused.op_id)
  expect((await readBoard(context.db))!.widgets[0]!.checkpoints.map(({ ratio }) => ratio)).toEqual([4])
  await deleteDefaultCheckpoint(context, id)
  expect((await readBoard(context.db))!.widgets[0]!.checkpoints).toEqual([])
})

test('retrying a refused update also retries its refused create, in their original order, and both count as sent', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 } } })
  await context.db.outbox
    .toCollection()
    .modify((entry) => void Object.assign(entry, { state: 'failed', failed_at: NOW }))
  expect((await readBoard(context.db))!.widgets).toEqual([])
  const update = (await context.db.outbox.orderBy('seq').last())!
  await retryChange(context, update.op_id)
  const entries = await context.db.outbox.orderBy('seq').toArray()
  expect(entries.map(({ kind, state }) => [kind, state])).toEqual([
    ['widget.create@1', 'waiting'],
    ['widget.update@1', 'waiting'],
  ])
  expect(entries.every(({ attempts }) => attempts > 0)).toBe(true)
  expect((await readBoard(context.db))!.widgets[0]).toMatchObject({ alerts: { high: { threshold: 2 } } })
})

test('a retried update takes effect after updates made meanwhile, and before the next update', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 } } })
  const refused = (await context.db.outbox.orderBy('seq').last())!
  await context.db.outbox.put({ ...refused, state: 'failed', failed_at: NOW })
  await updateWidget(context, id, { alerts: { high: { threshold: 3 } } })
  await retryChange(context, refused.op_id)
  expect((await readBoard(context.db))!.widgets[0]!.alerts.high.threshold).toBe(2)
  await updateWidget(context, id, { alerts: { high: { threshold: 4 } } })
  expect((await readBoard(context.db))!.widgets[0]!.alerts.high.threshold).toBe(4)
})

test('discarding a refused create also discards the refused update of that widget', async () => {
  const context = await guestContext()
  const id = await add(context, A, B)
  await updateWidget(context, id, { alerts: { high: { threshold: 2 } } })
  await context.db.outbox
    .toCollection()
    .modify((entry) => void Object.assign(entry, { state: 'failed', failed_at: NOW }))
  const create = (await context.db.outbox.orderBy('seq').first())!
  await discardChange(context, create.op_id)
  expect(await context.db.outbox.count()).toBe(0)
})
