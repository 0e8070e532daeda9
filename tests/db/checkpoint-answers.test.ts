import { expect, test } from 'vitest'
import type { Checkpoint } from '../../src/contract/checkpoint'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { begunPull, pulledRows } from './support/pulled'
import { applyOutcome, type Outcome } from '../../src/db/answers/apply-outcome'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import type { CommandContext } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { retryChange } from '../../src/db/commands/failed-changes'
import { readNotices } from '../../src/db/notices'
import { readEntries, readWidgets } from '../../src/db/board-rows'
import type { CheckpointId, OwnerId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { checkpointRow, NOW, uuid } from './support/entries'
import { firstWidget, guestContext, userContext } from './support/people'

const WIDGET = wireWidget()
const [A, B, C] = ['a', 'b', 'c'] as CheckpointId[] as [CheckpointId, CheckpointId, CheckpointId]
const row = (id: string, place: number, change: Partial<Checkpoint> = {}): Checkpoint => ({
  ...checkpointRow(WIDGET.id, id, place),
  ...change,
})

interface Scene extends CommandContext {
  readonly owner: OwnerId
  /** Leases the next entry and brings this answer home. */
  readonly answer: (
    outcome: Outcome | { readonly value: unknown } | { readonly code: string; readonly message: string },
  ) => Promise<void>
  readonly ratios: () => Promise<readonly number[]>
  readonly notices: () => Promise<readonly string[]>
}

/** A user whose only pair has checkpoints with the ratios 1, 2, 3, of which the first is the default. */
async function scene(account: 'guest' | 'free' | 'premium', rows = [row(A, 0), row(B, 1), row(C, 2)]): Promise<Scene> {
  const context = account === 'guest' ? await guestContext() : await userContext(account === 'premium')
  const { db } = context
  const { owner } = (await db.session.get('current'))!
  await acceptPull(db, begunPull(owner, 0), pulledRows([{ ...WIDGET, checkpoints: rows }]), NOW)
  return {
    ...context,
    owner,
    async answer(outcome) {
      const entry = (await readEntries(db, owner)).find(({ state }) => state === 'waiting')!
      const leased = { ...entry, state: 'leased' as const, lease: 'mine', attempts: entry.attempts + 1 }
      await db.outbox.put(leased)
      const full: Outcome =
        'code' in outcome
          ? { kind: 'refused', error: { status: 403, error_code: outcome.code, message: outcome.message } }
          : 'kind' in outcome
            ? outcome
            : { kind: 'done', value: outcome.value }
      await applyOutcome({ db, now: NOW, wait: () => 0 }, leased, full)
    },
    ratios: async () => (await firstWidget(context)).checkpoints.map(({ ratio }) => ratio),
    notices: async () => (await readNotices(db)).map(({ kind, message }) => `${kind}: ${message}`),
  }
}
const NO = { code: 'FORBIDDEN', message: 'Not today.' }
const GONE = { kind: 'already', error: { status: 404, error_code: 'NOT_FOUND', message: 'Not found.' } } as const
const order = (...ids: CheckpointId[]) => ({ deleted: [], order: ids, defaultId: A })

test.each<[string, 'guest' | 'free' | 'premium', (device: Scene) => Promise<unknown>]>([
  ['Failed to save checkpoint: Not today.', 'guest', (device) => saveCheckpoint(device, WIDGET.id, 9)],
  ['Failed to update checkpoint: Not today.', 'free', (device) => saveCheckpoint(device, WIDGET.id, 9)],
  ['Failed to add checkpoint: Not today.', 'premium', (device) => addCheckpoint(device, WIDGET.id, 9, order(A, B, C))],
  ['Failed to delete default checkpoint: Not today.', 'guest', (device) => deleteDefaultCheckpoint(device, WIDGET.id)],
  [
    'Failed to delete default checkpoint: Not today.',
    'premium',
    (device) => deleteDefaultCheckpoint(device, WIDGET.id),
  ],
  [
    'Failed to delete checkpoint: Not today.',
    'premium',
    (device) => commitCheckpoints(device, WIDGET.id, { ...order(A, C), deleted: [B] }),
  ],
  [
    'Failed to save checkpoint changes: Not today.',
    'premium',
    (device) => commitCheckpoints(device, WIDGET.id, { ...order(C, A), deleted: [B] }),
  ],
  [
    'Failed to save checkpoint changes: Not today.',
    'premium',
    (device) => commitCheckpoints(device, WIDGET.id, order(C, B, A)),
  ],
])('a refused checkpoint change shows "%s" to a %s, and reverts', async (sentence, account, change) => {
  const device = await scene(account)
  const before = await firstWidget(device)
  await change(device)
  expect((await firstWidget(device)).checkpoints).not.toEqual(before.checkpoints)
  await device.answer(NO)
  expect(await firstWidget(device)).toEqual(before)
  expect(await device.notices()).toEqual([`error: ${sentence}`])
  // A pull that was under way is thrown away, and another one asked for.
  expect(await readOwnerSyncState(device.db, device.owner)).toMatchObject({ needs_pull: true, applied_rev: 2 })
})

test('a refused first checkpoint shows that the checkpoint was not created', async () => {
  const device = await scene('free', [])
  await saveCheckpoint(device, WIDGET.id, 9)
  await device.answer(NO)
  expect(await device.notices()).toEqual(['error: Failed to create checkpoint: Not today.'])
  expect(await device.ratios()).toEqual([])
})

test.each(['guest', 'free', 'premium'] as const)(
  'a refusal with CHECKPOINT_LIMIT_REACHED shows the sentence about the tier’s limit to a %s',
  async (account) => {
    const device = await scene(account, account === 'premium' ? [row(A, 0)] : [])
    await (account === 'premium' ? addCheckpoint(device, WIDGET.id, 9, order(A)) : saveCheckpoint(device, WIDGET.id, 9))
    await device.answer({ code: 'CHECKPOINT_LIMIT_REACHED', message: 'Too many.' })
    expect(await device.notices()).toEqual([
      "error: You've reached the maximum number of checkpoints for your tier. Please upgrade to add more.",
    ])
  },
)

test('a refused outbox entry fails the unanswered entries of its group, and the answered ones stay applied', async () => {
  const device = await scene('premium')
  await addCheckpoint(device, WIDGET.id, 9, { deleted: [B], order: [C, A], defaultId: C })
  await device.answer({ value: [row(A, 0), row(C, 1)] })
  await device.answer(NO)
  const states = (await readEntries(device.db, device.owner)).map(({ kind, state }) => [kind, state])
  expect(states).toEqual([
    ['checkpoint.reorder@1', 'failed'],
    ['checkpoint.set-default@1', 'failed'],
    ['checkpoint.create@1', 'failed'],
  ])
  expect((await firstWidget(device)).checkpoints.map(({ id, isDefault }) => [id, isDefault])).toEqual([
    [A, true],
    [C, false],
  ])
  expect(await device.notices()).toEqual(['error: Failed to save checkpoint changes: Not today.'])
})

test('a refused checkpoint create fails that checkpoint’s update and takes its id out of a waiting reorder', async () => {
  const device = await scene('premium')
  const added = await addCheckpoint(device, WIDGET.id, 9, order(A, B, C))
  const temp = (added as { value: CheckpointId }).value
  await saveCheckpoint(device, WIDGET.id, 10)
  await commitCheckpoints(device, WIDGET.id, { deleted: [], order: [temp, A, B, C], defaultId: temp })
  await device.answer(NO)
  const entries = await readEntries(device.db, device.owner)
  expect(entries.map(({ kind, state }) => `${state} ${kind}`)).toEqual([
    'failed checkpoint.create@1',
    'failed checkpoint.update@1',
    'waiting checkpoint.reorder@1',
  ])
  expect(entries[2]!.payload).toEqual({ widget: WIDGET.id, ordered_ids: [A, B, C] })
  expect(await device.ratios()).toEqual([1, 2, 3])
})

test('the success notice of a group of checkpoint changes appears when the last entry is confirmed, and not before', async () => {
  const device = await scene('premium')
  await commitCheckpoints(device, WIDGET.id, { deleted: [B], order: [C, A], defaultId: A })
  await device.answer({ value: [row(A, 0), row(C, 1)] })
  expect(await device.notices()).toEqual([])
  await device.answer({ value: [row(C, 0, { is_default: false }), row(A, 1, { is_default: true })] })
  expect(await device.notices()).toEqual(['success: Checkpoint changes saved.'])
})

test('a new checkpoint committed with other changes shows one success notice for all of them', async () => {
  const device = await scene('premium', [row(A, 0)])
  await addCheckpoint(device, WIDGET.id, 9, { deleted: [A], order: [], defaultId: null })
  await device.answer({ value: [] })
  await device.answer({ value: row(uuid(7), 0, { ratio: 9 }) })
  expect(await device.notices()).toEqual(['success: Checkpoint added and set as default.'])
  expect(await device.ratios()).toEqual([9])
})

test('when only the new checkpoint of a group is refused, a success notice confirms the other changes', async () => {
  const device = await scene('premium')
  await addCheckpoint(device, WIDGET.id, 9, { deleted: [B], order: [C, A], defaultId: A })
  await device.answer({ value: [row(A, 0), row(C, 1)] })
  await device.answer({ value: [row(C, 0, { is_default: false }), row(A, 1, { is_default: true })] })
  expect(await device.notices()).toEqual([])
  await device.answer(NO)
  const said = ['success: Checkpoint changes saved.', 'error: Failed to add checkpoint: Not today.']
  expect(await device.notices()).toEqual(said)
  // Tried again and refused again, only that is said.
  const [failed] = await readEntries(device.db, device.owner)
  await retryChange(device, failed!.op_id)
  await device.answer(NO)
  expect(await device.notices()).toEqual([...said, said[1]])
})

test('a group whose reorder was withdrawn shows its success notice when the remaining entry is confirmed', async () => {
  const device = await scene('premium')
  await commitCheckpoints(device, WIDGET.id, { deleted: [B], order: [C, A], defaultId: A })
  await commitCheckpoints(device, WIDGET.id, order(A, C))
  await device.answer({ value: [row(A, 0), row(C, 1)] })
  expect(await device.notices()).toEqual(['success: Checkpoint changes saved.'])
})

test('saving and deleting a checkpoint with the card’s own buttons shows no success notice', async () => {
  const device = await scene('premium')
  await saveCheckpoint(device, WIDGET.id, 9)
  await device.answer({ value: row(A, 0, { ratio: 9 }) })
  await deleteDefaultCheckpoint(device, WIDGET.id)
  await device.answer({ value: [row(B, 0, { ratio: 2 }), row(C, 1, { ratio: 3, is_default: true })] })
  expect(await device.notices()).toEqual([])
  expect(await device.ratios()).toEqual([2, 3])
})

test('a pull that brings the checkpoint of a waiting create completes that create and shows its success notice', async () => {
  const device = await scene('premium', [])
  const added = await addCheckpoint(device, WIDGET.id, 9, { deleted: [], order: [], defaultId: null })
  const { value: temp } = added as { value: CheckpointId }
  expect(temp.startsWith('temp-cp-')).toBe(true)
  const [entry] = await readEntries(device.db, device.owner)
  const made = row(uuid(7), 0, { ratio: 9, created_by_op: entry!.op_id })
  const { applied_rev } = await readOwnerSyncState(device.db, device.owner)
  await acceptPull(
    device.db,
    begunPull(device.owner, applied_rev),
    pulledRows([{ ...WIDGET, checkpoints: [made] }]),
    NOW,
  )
  expect(await readEntries(device.db, device.owner)).toEqual([])
  expect((await device.db.ids.get(temp))!.real).toBe(uuid(7))
  expect(await device.notices()).toEqual(['success: Checkpoint added and set as default.'])
  expect(await device.ratios()).toEqual([9])
})

test('deleting a default checkpoint that is already gone makes the last remaining one the default and asks for a pull', async () => {
  const device = await scene('premium')
  await deleteDefaultCheckpoint(device, WIDGET.id)
  await device.answer(GONE)
  const list = (await readWidgets(device.db))(device.owner)[0]!.checkpoints
  expect(list.map(({ id, is_default }) => [id, is_default])).toEqual([
    [B, false],
    [C, true],
  ])
  expect(await device.notices()).toEqual([])
  expect((await readOwnerSyncState(device.db, device.owner)).needs_pull).toBe(true)
})

test('the answer to a checkpoint update brings the prices of its ratio, and none where the server knows none', async () => {
  const device = await scene('premium')
  const stored = async () => (await device.db.checkpoints.get(A))!
  await saveCheckpoint(device, WIDGET.id, 9, { a: 18, b: 2 })
  await device.answer({ value: row(A, 0, { ratio: 9, prices: { a: 18, b: 2 } }) })
  expect((await stored()).prices).toEqual({ a: 18, b: 2 })
  await saveCheckpoint(device, WIDGET.id, 8)
  await device.answer({ value: row(A, 0, { ratio: 8 }) })
  expect(await stored()).not.toHaveProperty('prices')
})

test('the answer to a checkpoint update does not restore a checkpoint that was deleted meanwhile', async () => {
  const device = await scene('premium')
  await saveCheckpoint(device, WIDGET.id, 9)
  await device.db.checkpoints.delete(A)
  await device.answer({ value: row(A, 0, { ratio: 9 }) })
  expect(await device.ratios()).toEqual([2, 3])
})

test('a new checkpoint whose row is already stored is shown once, and the answer maps its temporary id to the server’s', async () => {
  const device = await scene('premium', [])
  const added = await addCheckpoint(device, WIDGET.id, 9, { deleted: [], order: [], defaultId: null })
  const { value: temp } = added as { value: CheckpointId }
  await saveCheckpoint(device, WIDGET.id, 10)
  const [entry] = await readEntries(device.db, device.owner)
  await device.db.checkpoints.put({
    ...row(uuid(7), 0, { ratio: 9, created_by_op: entry!.op_id }),
    owner: device.owner,
  })
  expect(await device.ratios()).toEqual([10])
  await device.answer({ value: row(uuid(7), 0, { ratio: 9, created_by_op: entry!.op_id }) })
  expect((await device.db.ids.get(temp))!.real).toBe(uuid(7))
  expect(await device.ratios()).toEqual([10])
})
