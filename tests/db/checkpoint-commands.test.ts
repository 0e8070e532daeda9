import { expect, test } from 'vitest'
import type { CommandContext } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import type { CheckpointDraft } from '../../src/domain/checkpoint-draft'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { readBoard, readEntries } from '../../src/db/board-rows'
import type { CheckpointId, WidgetId } from '../../src/domain/ids'
import { widgetRow } from '../support/widget-row'
import { checkpointRow, NOW } from './support/entries'
import { firstWidget, guestContext, kindsOf, sendAll, userContext } from './support/people'

/** `aB`: two checkpoints a and b in this order, the capital one is the default. */
const shown = async (context: CommandContext): Promise<string> =>
  (await firstWidget(context)).checkpoints
    .map(({ id, isDefault, ratio }) => {
      const name = id.startsWith('temp-') ? String(ratio) : id
      return isDefault ? name.toUpperCase() : name
    })
    .join('')
const cp = (name: string): CheckpointId => name as CheckpointId
const draft = (order: string, defaultId: string | null, deleted = ''): CheckpointDraft => ({
  deleted: deleted.split('').map(cp),
  order: order.split('').map(cp),
  defaultId: defaultId === null ? null : cp(defaultId),
})

/** A premium user whose only pair has these checkpoints on the server. */
async function withList(list: string, premium = true): Promise<{ context: CommandContext; id: WidgetId }> {
  const context = await userContext(premium)
  const { owner } = (await context.db.session.get('current'))!
  const row = widgetRow({ owner })
  await context.db.widgets.put(row)
  await context.db.checkpoints.bulkPut(
    list.split('').map((char, index) => ({
      ...checkpointRow(row.id, char.toLowerCase(), index),
      is_default: char !== char.toLowerCase(),
      owner,
    })),
  )
  return { context, id: row.id }
}
const entriesOf = async ({ db }: CommandContext) => readEntries(db, (await db.session.get('current'))!.owner)

test('saving the ratio again replaces a guest’s save that was never sent, and follows one that was', async () => {
  const context = await guestContext()
  const { owner } = (await context.db.session.get('current'))!
  const widget = widgetRow({ owner })
  await context.db.widgets.put(widget)
  await saveCheckpoint(context, widget.id, 2)
  await saveCheckpoint(context, widget.id, 3)
  expect((await firstWidget(context)).checkpoints).toMatchObject([{ ratio: 3, isDefault: true, isPending: true }])
  expect(await kindsOf(context)).toEqual(['checkpoint.anonymous-create@1'])
  await sendAll(context)
  await saveCheckpoint(context, widget.id, 4)
  expect(await kindsOf(context)).toEqual(['checkpoint.anonymous-create@1', 'checkpoint.anonymous-create@1'])
})

test('saving the ratio creates a user’s first checkpoint, and later saves share one update entry', async () => {
  const { context, id } = await withList('', false)
  await saveCheckpoint(context, id, 2)
  await saveCheckpoint(context, id, 3)
  await saveCheckpoint(context, id, 4)
  expect((await firstWidget(context)).checkpoints).toMatchObject([{ ratio: 4, isDefault: true, isPending: true }])
  expect(await kindsOf(context)).toEqual(['checkpoint.create@1', 'checkpoint.update@1'])
})

test('saving the ratio changes only the default checkpoint of several, with its timestamp', async () => {
  const { context, id } = await withList('aBc')
  expect(await saveCheckpoint(context, id, 7)).toEqual({ ok: true, value: 'b' })
  const list = (await firstWidget(context)).checkpoints
  expect(list.map(({ ratio }) => ratio)).toEqual([1, 7, 3])
  expect(list[1]!.timestamp).toBe(new Date(NOW).toISOString())
})

test('the prices of a ratio are saved with it, and those of another tick or of the ratio before are not kept', async () => {
  const { context, id } = await withList('A')
  const prices = async () => (await firstWidget(context)).checkpoints.map((one) => one.prices)
  const bodies = async () => (await entriesOf(context)).map(({ payload }) => 'body' in payload && payload.body)
  await saveCheckpoint(context, id, 7, { a: 14, b: 2 })
  expect(await prices()).toEqual([{ a: 14, b: 2 }])
  await addCheckpoint(context, id, 9, draft('a', null), { a: 18, b: 2 })
  expect(await prices()).toEqual([
    { a: 14, b: 2 },
    { a: 18, b: 2 },
  ])
  expect(await bodies()).toMatchObject([{ prices: { a: 14, b: 2 } }, { prices: { a: 18, b: 2 } }])
  await saveCheckpoint(context, id, 8, { a: 14, b: 2 })
  expect((await prices()).at(-1)).toBeNull()
})

test('saving the ratio is refused for a pair that is gone, and without a session', async () => {
  const { context } = await withList('a')
  const gone = { ok: false, message: 'This pair is no longer on your dashboard.' }
  expect(await saveCheckpoint(context, 'gone' as WidgetId, 2)).toEqual(gone)
  await context.db.session.clear()
  expect(await saveCheckpoint(context, 'gone' as WidgetId, 2)).toEqual({
    ok: false,
    message: 'User session not found. Please refresh and try again.',
  })
})

const refused = { ok: false, message: 'Upgrade to manage multiple checkpoints' }

test('a user whose premium has ended can still commit popover changes, but cannot add a checkpoint', async () => {
  const { context, id } = await withList('aBc', false)
  expect(await addCheckpoint(context, id, 5, draft('', null, 'a'))).toEqual(refused)
  expect(await shown(context)).toBe('aBc')
  expect(await commitCheckpoints(context, id, draft('', 'c', 'a'))).toEqual({ ok: true, value: undefined })
  expect(await shown(context)).toBe('bC')
  expect(await kindsOf(context)).toEqual(['checkpoint.delete-many@1', 'checkpoint.set-default@1'])
})

test('a guest can neither commit checkpoint changes in the popover nor add a checkpoint there', async () => {
  const context = await guestContext()
  const { owner } = (await context.db.session.get('current'))!
  const widget = widgetRow({ owner })
  await context.db.widgets.put(widget)
  await saveCheckpoint(context, widget.id, 2)
  const [one] = (await firstWidget(context)).checkpoints
  expect(await commitCheckpoints(context, widget.id, { deleted: [one!.id], order: [], defaultId: null })).toEqual(
    refused,
  )
  expect(await addCheckpoint(context, widget.id, 5, draft('', null))).toEqual(refused)
  expect((await firstWidget(context)).checkpoints).toHaveLength(1)
})

test('a popover commit that changes nothing writes no outbox entry', async () => {
  const { context, id } = await withList('aBc')
  expect(await commitCheckpoints(context, id, draft('abc', 'b'))).toEqual({ ok: true, value: undefined })
  expect(await kindsOf(context)).toEqual([])
})

test('a popover commit queues delete, reorder and set-default in this order and as one group', async () => {
  const { context, id } = await withList('aBcd')
  await commitCheckpoints(context, id, draft('dac', 'a', 'b'))
  expect(await shown(context)).toBe('dAc')
  const entries = await entriesOf(context)
  expect(entries.map(({ kind }) => kind)).toEqual([
    'checkpoint.delete-many@1',
    'checkpoint.reorder@1',
    'checkpoint.set-default@1',
  ])
  expect(new Set(entries.map(({ group }) => group)).size).toBe(1)
  expect(entries[0]!.group).not.toBeNull()
})

test('a popover commit queues no set-default when the server chooses that default by itself', async () => {
  const { context, id } = await withList('Abc')
  await commitCheckpoints(context, id, draft('bc', 'c', 'a'))
  expect(await kindsOf(context)).toEqual(['checkpoint.delete-many@1'])
  expect(await shown(context)).toBe('bC')
})

test('a checkpoint added in the popover is queued as the default after the other changes, all in one group', async () => {
  const { context, id } = await withList('aBcd')
  const added = await addCheckpoint(context, id, 9, draft('dca', 'a', 'b'))
  expect(added.ok).toBe(true)
  expect(await shown(context)).toBe('dca9')
  expect((await firstWidget(context)).checkpoints.at(-1)).toMatchObject({ isDefault: true, isPending: true })
  const entries = await entriesOf(context)
  expect(entries.map(({ kind }) => kind)).toEqual([
    'checkpoint.delete-many@1',
    'checkpoint.reorder@1',
    'checkpoint.set-default@1',
    'checkpoint.create@1',
  ])
  expect(new Set(entries.map(({ group }) => group)).size).toBe(1)
})

test('adding a checkpoint beyond the limit is refused, and the other popover changes are not committed either', async () => {
  const { context, id } = await withList('aBcd')
  expect(await addCheckpoint(context, id, 9, draft('dcba', 'a'))).toEqual({
    ok: false,
    message: 'You have reached the limit of 4 checkpoints for this widget on your current tier.',
  })
  expect(await shown(context)).toBe('aBcd')
  expect(await kindsOf(context)).toEqual([])
})

test('deleting a never-sent checkpoint removes its create and all entries that reference it from the outbox', async () => {
  const { context, id } = await withList('aB')
  const added = await addCheckpoint(context, id, 9, draft('ab', 'b'))
  const temp = (added as { value: CheckpointId }).value
  await commitCheckpoints(context, id, { deleted: [], order: [temp, cp('a'), cp('b')], defaultId: temp })
  await saveCheckpoint(context, id, 8)
  expect(await shown(context)).toBe('8ab')
  await commitCheckpoints(context, id, { deleted: [temp], order: [cp('a'), cp('b')], defaultId: cp('b') })
  expect(await shown(context)).toBe('aB')
  expect(await kindsOf(context)).toEqual([])
})

test('deleting a checkpoint whose create was sent queues a delete behind the create', async () => {
  const { context, id } = await withList('aB')
  const added = await addCheckpoint(context, id, 9, draft('ab', 'b'))
  const temp = (added as { value: CheckpointId }).value
  await sendAll(context)
  await commitCheckpoints(context, id, { deleted: [temp], order: [cp('a'), cp('b')], defaultId: cp('b') })
  expect(await shown(context)).toBe('aB')
  expect(await kindsOf(context)).toEqual(['checkpoint.create@1', 'checkpoint.delete-many@1'])
})

test('two popover commits while offline leave one reorder and one set-default, with new operation ids', async () => {
  const { context, id } = await withList('aBcd')
  await commitCheckpoints(context, id, draft('badc', 'a'))
  const first = (await entriesOf(context)).map(({ op_id }) => op_id)
  await commitCheckpoints(context, id, draft('dcba', 'd'))
  const entries = await entriesOf(context)
  expect(entries.map(({ kind }) => kind)).toEqual(['checkpoint.reorder@1', 'checkpoint.set-default@1'])
  expect(entries.some(({ op_id }) => first.includes(op_id))).toBe(false)
  expect(await shown(context)).toBe('Dcba')
})

test('a popover commit keeps its default when its reorder replaces the unsent reorder that decided the default', async () => {
  const { context, id } = await withList('Abcd')
  await commitCheckpoints(context, id, draft('adcb', 'a'))
  await deleteDefaultCheckpoint(context, id)
  expect(await shown(context)).toBe('dcB')
  await commitCheckpoints(context, id, draft('cdb', 'b'))
  expect(await shown(context)).toBe('cdB')
})

test('a popover draft without order and default keeps those of earlier commits, sent or not', async () => {
  const { context, id } = await withList('aBcd')
  await commitCheckpoints(context, id, draft('badc', 'a'))
  await commitCheckpoints(context, id, draft('', null, 'd'))
  expect(await shown(context)).toBe('bAc')
  await sendAll(context)
  await commitCheckpoints(context, id, draft('', null, 'a'))
  expect(await shown(context)).toBe('bC')
  expect((await kindsOf(context)).at(-1)).toBe('checkpoint.delete-many@1')
})

test('a popover commit queues new entries instead of changing a reorder and a set-default that were sent', async () => {
  const { context, id } = await withList('aBc')
  await commitCheckpoints(context, id, draft('cba', 'a'))
  await sendAll(context)
  await commitCheckpoints(context, id, draft('abc', 'c'))
  expect(await kindsOf(context)).toEqual([
    'checkpoint.reorder@1',
    'checkpoint.set-default@1',
    'checkpoint.reorder@1',
    'checkpoint.set-default@1',
  ])
  expect(await shown(context)).toBe('abC')
})

test('a popover commit ignores checkpoints of its draft that another device has deleted', async () => {
  const { context, id } = await withList('aB')
  await commitCheckpoints(context, id, draft('xba', 'x', 'y'))
  expect(await shown(context)).toBe('Ba')
})

test('the card’s delete button deletes the default checkpoint, and the last remaining one becomes the default', async () => {
  const { context, id } = await withList('Abc')
  await deleteDefaultCheckpoint(context, id)
  expect(await shown(context)).toBe('bC')
  expect(await kindsOf(context)).toEqual(['checkpoint.delete@1'])
  await deleteDefaultCheckpoint(context, id)
  expect(await shown(context)).toBe('B')
  await deleteDefaultCheckpoint(context, id)
  await deleteDefaultCheckpoint(context, id)
  expect(await shown(context)).toBe('')
  expect(await kindsOf(context)).toHaveLength(3)
})

test('the card’s delete button withdraws a never-sent checkpoint, and the last remaining one becomes the default', async () => {
  const { context, id } = await withList('Ab')
  await addCheckpoint(context, id, 9, draft('ab', 'a'))
  await deleteDefaultCheckpoint(context, id)
  expect(await shown(context)).toBe('aB')
  expect(await kindsOf(context)).toEqual(['checkpoint.set-default@1'])
})

test('the card’s delete button does nothing on a pair without checkpoints', async () => {
  const { context, id } = await withList('')
  expect((await deleteDefaultCheckpoint(context, id)).ok).toBe(true)
  expect(await kindsOf(context)).toEqual([])
})

test('the board names its owner’s account: guest, free or premium', async () => {
  const account = async (context: CommandContext) => (await readBoard(context.db))!.account
  expect(await account(await guestContext())).toBe('guest')
  expect(await account(await userContext(false))).toBe('free')
  expect(await account(await userContext(true))).toBe('premium')
})

test('a pair has room for one checkpoint until the tier limits are known', async () => {
  const { context, id } = await withList('A')
  await context.db.meta.delete('tier_limits')
  expect(await addCheckpoint(context, id, 9, draft('a', 'a'))).toEqual({
    ok: false,
    message: 'You have reached the limit of 1 checkpoints for this widget on your current tier.',
  })
  expect((await addCheckpoint(context, id, 9, draft('', null, 'a'))).ok).toBe(true)
})
