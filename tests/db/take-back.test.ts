import { expect, test } from 'vitest'
import type { CommandContext, CommandResult } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { holdUntil, takeBack } from '../../src/db/commands/take-back'
import { addWidget, removeWidget, setAlerts, updateWidget } from '../../src/db/commands/widgets'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { readBoard } from '../../src/db/board-rows'
import type { HeldChange } from '../../src/db/held-change'
import { failEntry } from '../../src/db/answers/fail-entry'
import { logOut } from '../../src/db/leave-owner'
import type { WidgetView } from '../../src/db/view'
import type { CheckpointId, CoinId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { checkpointRow, NOW } from './support/entries'
import { addPair, firstWidget, guestContext, kindsOf, sendAll, userContext } from './support/people'
import { begunPull, pulledRows } from './support/pulled'

const HOLD = 11_000
const TOO_LATE = { ok: false, message: 'This has been sent or changed since, so nothing was undone.' }
const WIDGET = wireWidget({ high_threshold: 20 })
type Tier = 'guest' | 'free' | 'premium'
type Change = (context: CommandContext, widget: WidgetView) => Promise<CommandResult<unknown>>

/** A pair with a threshold and checkpoints, as the server has it. */
async function start(tier: Tier): Promise<CommandContext> {
  const context = await (tier === 'guest' ? guestContext() : userContext(tier === 'premium'))
  const { owner } = (await context.db.session.get('current'))!
  const names = tier === 'premium' ? ['a', 'b', 'c'] : ['a']
  const checkpoints = names.map((name, place) => checkpointRow(WIDGET.id, name, place))
  await acceptPull(context.db, begunPull(owner, 0), pulledRows([{ ...WIDGET, checkpoints }]), NOW)
  return context
}
/** Gives the command so that it can be taken back. */
async function held(context: CommandContext, change: Change): Promise<HeldChange> {
  let trace: HeldChange | undefined
  const hold = { ms: HOLD, onHeld: (one: HeldChange) => void (trace = one) }
  expect(await change({ ...context, hold }, await firstWidget(context))).toMatchObject({ ok: true })
  return trace!
}
const stored = async ({ db }: CommandContext) => ({
  outbox: await db.outbox.orderBy('seq').toArray(),
  widgets: await db.widgets.toArray(),
  checkpoints: await db.checkpoints.toArray(),
})
const entries = ({ db }: CommandContext) => db.outbox.orderBy('seq').toArray()
const idsOf = ({ checkpoints }: WidgetView) => checkpoints.map(({ id }) => id)

const clear: Change = (context, { id }) =>
  updateWidget(context, id, { alerts: { high: { threshold: null, armed: true } } })
const remove: Change = (context, { id }) => removeWidget(context, id)
const save: Change = (context, { id }) => saveCheckpoint(context, id, 9)
const saveOther: Change = (context, { id }) => saveCheckpoint(context, id, 8)
const drop: Change = (context, { id }) => deleteDefaultCheckpoint(context, id)
const move: Change = (context, { id }) => updateWidget(context, id, { alerts: { high: { threshold: 30 } } })
const dropTwo = (widget: WidgetView) => {
  const [first, ...left] = idsOf(widget).toReversed()
  return { deleted: [first!], order: left, defaultId: left[0] ?? null }
}
const commit: Change = (context, widget) => commitCheckpoints(context, widget.id, dropTwo(widget))
const exchange: Change = (context, widget) => addCheckpoint(context, widget.id, 9, dropTwo(widget))
const make: Change = (context, { id }) => addCheckpoint(context, id, 7, { deleted: [], order: [], defaultId: null })
const choose = (context: CommandContext, id: string) =>
  commitCheckpoints(context, WIDGET.id, { deleted: [], order: [], defaultId: id as CheckpointId })
const first: Change = (context, { id }) =>
  commitCheckpoints(context, id, { deleted: [], order: ['c', 'a', 'b'] as CheckpointId[], defaultId: null })

// oxfmt-ignore
const CHANGES: readonly (readonly [name: string, change: Change, earlier: Change, tiers: readonly Tier[]])[] = [
  ['clearing a threshold', clear, move, ['guest', 'free', 'premium']],
  ['removing a pair', remove, move, ['guest', 'free', 'premium']],
  ['replacing a checkpoint', save, saveOther, ['guest', 'free', 'premium']],
  ['deleting a checkpoint', drop, save, ['guest', 'free', 'premium']],
  ['deleting checkpoints in the dialog', commit, first, ['premium']],
  ['deleting a checkpoint in the dialog that was never sent', commit, make, ['premium']],
  ['an addition that deletes another', exchange, make, ['premium']],
]

test.each(CHANGES)(
  '%s, then undone, leaves rows and outbox as they were, also where it had swallowed a change that was never sent or followed one that was',
  async (_, change, earlier, tiers) => {
    for (const tier of tiers) {
      for (const before of ['nothing', 'unsent', 'sent'] as const) {
        const context = await start(tier)
        if (before !== 'nothing') await earlier(context, await firstWidget(context))
        if (before === 'sent') await sendAll(context)
        const then = await stored(context)
        const board = await readBoard(context.db)
        const trace = await held(context, change)
        expect(await readBoard(context.db)).not.toEqual(board)
        expect(await takeBack(context, trace)).toEqual({ ok: true, value: undefined })
        expect(await stored(context)).toEqual(then)
      }
    }
  },
)

test('a held change shows at once and is not to be sent before its time, while earlier ones are', async () => {
  const context = await start('premium')
  await save(context, await firstWidget(context))
  await held(context, clear)
  expect((await entries(context)).map(({ kind, not_before }) => [kind, not_before])).toEqual([
    ['checkpoint.update@1', 0],
    ['widget.update@1', NOW + HOLD],
  ])
  expect(await firstWidget(context)).toMatchObject({ alerts: { high: { threshold: null } }, waiting: 2, held: 1 })
})

test('a pair that was never sent comes back with its settings and checkpoint, and its later changes in their order', async () => {
  const context = await guestContext()
  const id = await addPair(context)
  await move(context, await firstWidget(context))
  await saveCheckpoint(context, id, 5)
  const then = await stored(context)
  const trace = await held(context, remove)
  expect(await kindsOf(context)).toEqual([])
  await addPair(context, 'ccc', 'ddd')
  await takeBack(context, trace)
  expect((await stored(context)).outbox.slice(0, 3)).toEqual(then.outbox)
  expect((await readBoard(context.db))!.widgets.map(({ coinA }) => coinA.id)).toEqual(['aaa', 'ccc'])
})

test('a lost pair that was removed here is there again with its checkpoints', async () => {
  const context = await start('guest')
  await context.db.widgets.update(WIDGET.id, { lost: true })
  const then = await stored(context)
  const trace = await held(context, remove)
  expect((await readBoard(context.db))!.widgets).toEqual([])
  await takeBack(context, trace)
  expect(await stored(context)).toEqual(then)
})

test('two changes of one thing are taken back in turn, the last first', async () => {
  const context = await start('guest')
  const then = await stored(context)
  const [one, two] = [await held(context, save), await held(context, drop)]
  expect(await takeBack(context, one)).toEqual(TOO_LATE)
  expect(await takeBack(context, two)).toMatchObject({ ok: true })
  expect((await firstWidget(context)).checkpoints).toMatchObject([{ ratio: 9 }])
  expect(await takeBack(context, one)).toMatchObject({ ok: true })
  expect(await stored(context)).toEqual(then)
})

test('a change of another thing, such as the alerts’ of the checkpoint’s pair, stays where one is undone', async () => {
  const context = await start('premium')
  const trace = await held(context, drop)
  await setAlerts(context, WIDGET.id, true, null)
  await addPair(context)
  expect(await takeBack(context, trace)).toMatchObject({ ok: true })
  expect(await kindsOf(context)).toEqual(['widget.update@1', 'widget.create@1'])
  expect(await firstWidget(context)).toMatchObject({ notificationsEnabled: true, checkpoints: [{}, {}, {}] })
})

test('a change is sent at once where the user changes the same thing again, and is not undone then', async () => {
  const context = await start('guest')
  const trace = await held(context, clear)
  await move(context, await firstWidget(context))
  expect(await entries(context)).toMatchObject([{ not_before: 0, payload: { body: { high_threshold: 30 } } }])
  expect(await takeBack(context, trace)).toEqual(TOO_LATE)
  expect(await firstWidget(context)).toMatchObject({ alerts: { high: { threshold: 30 } } })
})

test('Undo is refused with a sentence once the change was sent, and for another owner', async () => {
  const context = await start('premium')
  const trace = await held(context, remove)
  await sendAll(context)
  expect(await takeBack(context, trace)).toEqual(TOO_LATE)
  await context.db.outbox.clear()
  expect(await takeBack(context, trace)).toEqual(TOO_LATE)
  await logOut(context)
  expect(await takeBack(context, { ...trace, written: [] })).toEqual(TOO_LATE)
  expect(await kindsOf(context)).toEqual([])
})

test('a removed pair does not come back where another has taken the last place', async () => {
  const context = await start('guest')
  for (const coin of ['ccc', 'ddd', 'eee', 'fff']) await addPair(context, coin)
  const trace = await held(context, remove)
  await addWidget(context, { coinA: 'ggg' as CoinId, coinB: 'bbb' as CoinId })
  expect(await takeBack(context, trace)).toEqual(TOO_LATE)
})

test('a change that was swallowed does not come back where the server has refused what it builds on', async () => {
  const context = await start('premium')
  await make(context, await firstWidget(context))
  await choose(context, 'a')
  await sendAll(context)
  const made = (await firstWidget(context)).checkpoints.find(({ ratio }) => ratio === 7)!
  await choose(context, made.id)
  const trace = await held(context, (holding) => choose(holding, 'b'))
  const [create, ...rest] = await entries(context)
  const error = { status: 400, error_code: null, message: 'No.' }
  await failEntry(context.db, create!, error, [create!, ...rest], new Map(), NOW)
  expect(await takeBack(context, trace)).toEqual(TOO_LATE)
})

test('the hold lasts while the user rests on the toast, half a minute at most, and never holds what was sent', async () => {
  const context = await start('guest')
  const trace = await held(context, clear)
  const until = async () => (await entries(context)).map(({ not_before }) => not_before)
  await holdUntil(context.db, trace, NOW + 20_000)
  expect(await until()).toEqual([NOW + 20_000])
  await holdUntil(context.db, trace, NOW + 300_000)
  expect(await until()).toEqual([NOW + 31_000])
  await context.db.outbox.toCollection().modify({ attempts: 1, not_before: 0 })
  await holdUntil(context.db, trace, NOW + 30_000)
  expect(await until()).toEqual([0])
})
