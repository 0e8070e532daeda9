import { expect, test } from 'vitest'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { begunPull, pulledRows } from './support/pulled'
import { addCheckpoint } from '../../src/db/commands/checkpoint-lists'
import { discardChange, readDiscard } from '../../src/db/commands/failed-changes'
import { removeWidget } from '../../src/db/commands/widgets'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import type { CheckpointId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { checkpointRow, NOW } from './support/entries'
import { addPair, firstWidget, guestContext, kindsOf, sendAll, userContext } from './support/people'

const WIDGET = wireWidget()
const IDS = ['a', 'b', 'c', 'd'] as CheckpointId[]

/** A premium user whose only pair has four checkpoints, as many as are allowed, and who replaces one in the popover. */
async function replacedOne() {
  const context = await userContext(true)
  const { owner } = (await context.db.session.get('current'))!
  const checkpoints = IDS.map((id, place) => checkpointRow(WIDGET.id, id, place))
  await acceptPull(context.db, begunPull(owner, 0), pulledRows([{ ...WIDGET, checkpoints }]), NOW)
  await addCheckpoint(context, WIDGET.id, 9, {
    deleted: [IDS[1]!],
    order: [IDS[0]!, IDS[2]!, IDS[3]!],
    defaultId: IDS[0]!,
  })
  const entries = await context.db.outbox.orderBy('seq').toArray()
  expect(entries.map(({ kind }) => kind)).toEqual(['checkpoint.delete-many@1', 'checkpoint.create@1'])
  return { context, entries }
}

test('discarding one unsent change of a group discards the whole group, which the question names', async () => {
  const { context, entries } = await replacedOne()
  expect(await readDiscard(context.db, entries[0]!.op_id)).toEqual({
    along: [expect.stringMatching(/^Save a checkpoint of /)],
    mayHaveArrived: false,
  })
  await discardChange(context, entries[0]!.op_id)
  expect(await kindsOf(context)).toEqual([])
  expect((await firstWidget(context)).checkpoints.map(({ id }) => id)).toEqual(IDS)
})

test('discarding an unsent change leaves a change of its group that was sent', async () => {
  const { context, entries } = await replacedOne()
  await context.db.outbox.update(entries[0]!.seq!, { attempts: 1 })
  await discardChange(context, entries[1]!.op_id)
  expect(await kindsOf(context)).toEqual(['checkpoint.delete-many@1'])
})

test('discarding a sent create names the changes that build on it, and asks the server for its list', async () => {
  const context = await guestContext()
  const pair = await addPair(context)
  await sendAll(context)
  await saveCheckpoint(context, pair, 5)
  await removeWidget(context, pair)
  const [create] = await context.db.outbox.orderBy('seq').toArray()
  expect(await readDiscard(context.db, create!.op_id)).toEqual({
    along: ['Save a checkpoint of AAA/BBB', 'Remove AAA/BBB'],
    mayHaveArrived: true,
  })
  await discardChange(context, create!.op_id)
  expect(await kindsOf(context)).toEqual([])
  expect(await context.db.owners.toArray()).toMatchObject([{ needs_pull: true }])
})

test('a change that is being sent cannot be discarded at that moment', async () => {
  const context = await guestContext()
  await addPair(context)
  const [create] = await context.db.outbox.toArray()
  await context.db.outbox.update(create!.seq!, { state: 'leased', lease: 'mine' })
  expect(await discardChange(context, create!.op_id)).toMatchObject({ ok: false })
  expect(await kindsOf(context)).toEqual(['widget.create@1'])
})

test('a guest who saves a checkpoint again and again while offline keeps one change of it waiting', async () => {
  const context = await guestContext()
  const pair = await addPair(context)
  for (let ratio = 1; ratio <= 150; ratio++) await saveCheckpoint(context, pair, ratio)
  expect(await kindsOf(context)).toEqual(['widget.create@1', 'checkpoint.anonymous-create@1'])
  expect((await firstWidget(context)).checkpoints.map(({ ratio }) => ratio)).toEqual([150])
  await sendAll(context)
  await saveCheckpoint(context, pair, 151)
  expect(await kindsOf(context)).toHaveLength(3)
})
