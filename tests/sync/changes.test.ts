import { describe, expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import type { CommandContext } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { addWidget, removeWidget, reorderWidgets, setAlerts } from '../../src/db/commands/widgets'
import { retryChange } from '../../src/db/commands/failed-changes'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { setThreshold } from '../support/set-threshold'
import type { LocalDatabase } from '../../src/db/database'
import type { BoardView, WidgetView } from '../../src/db/view'
import { readNotices } from '../../src/db/notices'
import { readBoard } from '../../src/db/board-rows'
import type { CoinId } from '../../src/domain/ids'
import { userRecord } from '../db/support/people'
import { key, type Method, type Person, SAVED_AT } from '../server/support/person'
import { oneTab } from './support/one-tab'
import { signIn } from './support/sign-in'
import { json } from './support/wire'

const scene = oneTab({ env: { PREMIUM_MAX_CHECKPOINTS: '4' } })
const { board, notices, offline, online, later } = scene
const sync = () => scene.sync('online')
const said = async () => (await readNotices(scene.tab.db)).map(({ kind, message }) => `${kind}: ${message}`)
const boardOf = async ({ db }: { readonly db: LocalDatabase }): Promise<BoardView> => (await readBoard(db))!

/** The part of a screen that the server knows too: pairs in order, with all that a user can change of them. */
const seen = ({ widgets }: BoardView): unknown =>
  widgets.map((widget) => [
    `${widget.coinA.id}/${widget.coinB.id}`,
    [widget.alerts.high.threshold, widget.alerts.high.armed, widget.alerts.low.threshold, widget.alerts.low.armed],
    widget.notificationsEnabled,
    widget.isActive,
    widget.checkpoints.map(({ ratio, timestamp, isDefault }) => [ratio, timestamp, isDefault]),
  ])
const told = (widgets: readonly Widget[]): unknown =>
  widgets.map((widget) => [
    `${widget.coin_a_id}/${widget.coin_b_id}`,
    [widget.high_threshold, widget.high_threshold_active, widget.low_threshold, widget.low_threshold_active],
    widget.notifications_enabled,
    widget.is_active,
    widget.checkpoints.map(({ ratio, timestamp, is_default }) => [ratio, timestamp, is_default]),
  ])

type Tier = 'guest' | 'free' | 'premium'
type Pairs = readonly [WidgetView, WidgetView]
/** The same person at another device. */
let elsewhere: Person

/** Two pairs, the first of them with as many checkpoints as its owner may have, but one for premium. */
async function start(tier: Tier): Promise<BoardView> {
  const { server, browser, tab } = scene
  const user = tier === 'guest' ? null : await server.user({ premium: tier === 'premium' })
  if (user !== null) {
    const access = (await user.identity())['authorization']!.slice('Bearer '.length)
    await signIn(tab.db, userRecord(user.id, tier === 'premium'), { access, refresh: 'unused' }, server.clock())
  }
  elsewhere = user ?? server.guest(browser.guest)
  const { id } = await elsewhere.add('bitcoin', 'ethereum')
  await elsewhere.add('ethereum', 'bitcoin')
  const path = `/widgets/${id}/checkpoints${tier === 'guest' ? '/anonymous' : ''}`
  for (const ratio of tier === 'premium' ? [11, 12, 13] : [11]) {
    await elsewhere.ask('POST', path, { ratio, timestamp: SAVED_AT, is_default: true }, key(undefined))
  }
  await scene.sync('start')
  return board()
}
/** The next change is answered so, and does not reach the server. */
const refuseNext = (status: number, error_code: string) => {
  let refused = false
  scene.browser.setWay(({ method }) => {
    if (refused || method === 'GET') return 'arrives'
    refused = true
    return json(status, { detail: 'No.', error_code })
  })
}

type Change = (context: CommandContext, first: WidgetView, all: BoardView) => Promise<{ readonly ok: boolean }>
const idsOf = ({ checkpoints }: WidgetView) => checkpoints.map(({ id }) => id)

// oxfmt-ignore
const CHANGES: readonly (readonly [name: string, tier: Tier, change: Change, refusal: string])[] = [
  ['adding a pair', 'guest', (context) => addWidget(context, { coinA: 'solana' as CoinId, coinB: 'bitcoin' as CoinId }), 'Failed to add SOL/BIT: No.'],
  ['removing a pair', 'guest', (context, { id }) => removeWidget(context, id), 'Failed to remove BIT/ETH: No.'],
  ['a new order of pairs', 'guest', (context, _, { widgets }) => reorderWidgets(context, widgets.map(({ id }) => id).toReversed()), 'Error: Could not save your new layout.'],
  ['a threshold', 'guest', (context, { id }) => setThreshold(context, id, 'high', 20.5, false), 'Failed to update BIT/ETH: No. Reverting change.'],
  ['alerts', 'free', (context, { id }) => setAlerts(context, id, true, 20), 'Failed to update BIT/ETH: No. Reverting change.'],
  ['a guest’s checkpoint', 'guest', (context, { id }) => saveCheckpoint(context, id, 15), 'Failed to save checkpoint: No.'],
  ['deleting a guest’s checkpoint', 'guest', (context, { id }) => deleteDefaultCheckpoint(context, id), 'Failed to delete default checkpoint: No.'],
  ['a user’s first checkpoint', 'free', (context, _, { widgets }) => saveCheckpoint(context, widgets[1]!.id, 15), 'Failed to create checkpoint: No.'],
  ['a user’s default', 'premium', (context, { id }) => saveCheckpoint(context, id, 15), 'Failed to update checkpoint: No.'],
  ['deleting a user’s default', 'premium', (context, { id }) => deleteDefaultCheckpoint(context, id), 'Failed to delete default checkpoint: No.'],
  ['an addition in the popover', 'premium', (context, first) => addCheckpoint(context, first.id, 15, { deleted: [], order: idsOf(first), defaultId: idsOf(first)[2]! }), 'Failed to add checkpoint: No.'],
  ['deletions in the popover', 'premium', (context, first) => commitCheckpoints(context, first.id, { deleted: idsOf(first).slice(0, 2), order: idsOf(first).slice(2), defaultId: idsOf(first)[2]! }), 'Failed to delete checkpoint: No.'],
  ['a new order in the popover', 'premium', (context, first) => commitCheckpoints(context, first.id, { deleted: [], order: idsOf(first).toReversed(), defaultId: idsOf(first)[2]! }), 'Failed to save checkpoint changes: No.'],
  ['a new default in the popover', 'premium', (context, first) => commitCheckpoints(context, first.id, { deleted: [], order: idsOf(first), defaultId: idsOf(first)[0]! }), 'Failed to save checkpoint changes: No.'],
  ['everything in the popover', 'premium', (context, first) => addCheckpoint(context, first.id, 15, { deleted: idsOf(first).slice(1, 2), order: [idsOf(first)[2]!, idsOf(first)[0]!], defaultId: idsOf(first)[0]! }), 'Failed to save checkpoint changes: No.'],
]

/** Long enough for whatever rests before it is sent. */
const REST = 10_000

describe.each(CHANGES)('mutation: %s', (_, tier, change, refusal) => {
  test('a mutation shows at once in every tab, stays while offline and over a reload, and is the same on the server', async () => {
    const before = await start(tier)
    offline()
    expect((await change(scene.context(), before.widgets[0]!, before)).ok).toBe(true)
    const changed = await board()
    expect(seen(changed)).not.toEqual(seen(before))
    expect(await boardOf(scene.browser.open())).toEqual(changed)

    later(REST)
    await sync()
    expect(seen(await board())).toEqual(seen(changed))
    expect((await board()).changes.length).toBeGreaterThan(0)
    scene.browser.kill(scene.tab)
    const reloaded = scene.browser.open()
    expect(seen(await boardOf(reloaded))).toEqual(seen(changed))

    online()
    later(REST)
    await reloaded.engine.sync('online')
    const after = await boardOf(reloaded)
    expect([after.changes, seen(after)]).toEqual([[], seen(changed)])
    expect(told(await elsewhere.list())).toEqual(seen(changed))
    expect(await boardOf(scene.browser.open())).toEqual(after)
  })

  test('a refused mutation is undone in every tab, and a notice says why', async () => {
    const before = await start(tier)
    await change(scene.context(), before.widgets[0]!, before)
    later(REST)
    refuseNext(403, 'FORBIDDEN')
    await sync()
    const after = await board()
    expect(seen(after)).toEqual(seen(before))
    expect(after.changes.every(({ state }) => state === 'failed')).toBe(true)
    expect(await boardOf(scene.browser.open())).toEqual(after)
    expect(await said()).toEqual([`error: ${refusal}`])
    expect(told(await elsewhere.list())).toEqual(seen(before))
  })
})

test('a layout refused for mixing active and inactive pairs goes back to the current layout of the server', async () => {
  const { widgets } = await start('guest')
  await elsewhere.add('solana', 'bitcoin')
  await reorderWidgets(scene.context(), widgets.map(({ id }) => id).toReversed())
  later(REST)
  refuseNext(409, 'FORBIDDEN_REORDER_MIX')
  await scene.sync()
  expect(await notices()).toEqual(['Cannot mix active and inactive widgets. Reverting layout.'])
  expect((await board()).widgets).toHaveLength(3)
  expect(told(await elsewhere.list())).toEqual(seen(await board()))
})

test('a layout whose save was refused is unsaved until it is tried again, and a newer one takes its place', async () => {
  const before = await start('guest')
  const turned = before.widgets.map(({ id }) => id).toReversed()
  const refuse = async () => {
    await reorderWidgets(scene.context(), turned)
    later(REST)
    refuseNext(403, 'FORBIDDEN')
    await sync()
    return board()
  }
  const refused = await refuse()
  expect([refused.layout, seen(refused)]).toEqual(['dirty', seen(before)])
  await retryChange(scene.context(), refused.changes[0]!.opId)
  await sync()
  expect([(await board()).layout, (await board()).widgets.map(({ id }) => id)]).toEqual(['idle', turned])

  await reorderWidgets(scene.context(), turned.toReversed())
  later(REST)
  await sync()
  await refuse()
  await reorderWidgets(scene.context(), turned)
  later(REST)
  await sync()
  expect([(await board()).layout, (await board()).changes]).toEqual(['idle', []])
})

const ofFirst = (method: Method, { id }: WidgetView, rest = '', body?: unknown) =>
  elsewhere.ask(method, `/widgets/${id}/checkpoints${rest}`, body, key(undefined))
const savesElsewhere = (widget: WidgetView) =>
  ofFirst('POST', widget, '', { ratio: 20, timestamp: SAVED_AT, is_default: true })
const deletesDefault = ([first]: Pairs) =>
  ofFirst('DELETE', first, `/${first.checkpoints.find(({ isDefault }) => isDefault)!.id}`)
const removes = ([first]: Pairs) => elsewhere.remove(first.id)
const fillsTheTier = async () => {
  await elsewhere.add('solana', 'ethereum')
  await elsewhere.add('cardano', 'solana')
  await elsewhere.add('cardano', 'bitcoin')
}
const commits =
  (deleted: readonly number[], order: readonly number[], preferred: number): Change =>
  (context, first) => {
    const [ids, at] = [idsOf(first), (places: readonly number[]) => places.map((place) => idsOf(first)[place]!)]
    return commitCheckpoints(context, first.id, { deleted: at(deleted), order: at(order), defaultId: ids[preferred]! })
  }
const saves: Change = (context, { id }) => saveCheckpoint(context, id, 15)
const deletes: Change = (context, { id }) => deleteDefaultCheckpoint(context, id)
const LIMIT = (what: string) =>
  `You've reached the maximum number of ${what} for your tier. Please upgrade to add more.`

// oxfmt-ignore
const CONFLICTS: readonly (readonly [name: string, tier: Tier, change: Change, meddle: (all: Pairs) => Promise<unknown>, notices: readonly string[]])[] = [
  ['a first checkpoint goes back where the checkpoint limit is reached', 'free', (context, _, { widgets }) => saveCheckpoint(context, widgets[1]!.id, 15), ([, second]) => savesElsewhere(second), [LIMIT('checkpoints')]],
  ['a checkpoint added in the popover goes back where the checkpoint limit is reached', 'premium', (context, first) => addCheckpoint(context, first.id, 15, { deleted: [], order: idsOf(first), defaultId: idsOf(first)[2]! }), ([first]) => savesElsewhere(first), [LIMIT('checkpoints')]],
  ['a pair goes back where the widget limit is reached', 'guest', (context) => addWidget(context, { coinA: 'solana' as CoinId, coinB: 'bitcoin' as CoinId }), fillsTheTier, [LIMIT('widgets')]],
  ['updating a deleted checkpoint fails', 'premium', saves, deletesDefault, ['Failed to update checkpoint: The widget has no such checkpoint.']],
  ['a deleted checkpoint does not become the default, and deletions answered before stand', 'premium', commits([1], [0, 2], 0), ([first]) => ofFirst('DELETE', first, `/${first.checkpoints[0]!.id}`), ['Failed to save checkpoint changes: The widget has no such checkpoint.']],
  ['deleting a deleted default is done', 'premium', deletes, deletesDefault, []],
  ['deleting a deleted checkpoint in the popover is done', 'premium', commits([2], [0, 1], 1), deletesDefault, ['Checkpoint changes saved.']],
  ['deleting the default of a removed pair is done', 'premium', deletes, removes, []],
  ['a checkpoint of a removed pair fails', 'premium', saves, removes, ['Failed to update checkpoint: The widget has no such checkpoint.']],
  ['a threshold of a removed pair fails', 'premium', (context, { id }) => setThreshold(context, id, 'high', 20, true), removes, ['Failed to update BIT/ETH: There is no such widget. Reverting change.']],
  ['removing a removed pair is done', 'premium', (context, { id }) => removeWidget(context, id), removes, ['Pair BIT/ETH was already removed from server.']],
]

test.each(CONFLICTS)('beside a change of another device: %s', async (_, tier, change, meddle, read) => {
  const all = await start(tier)
  offline()
  await change(scene.context(), all.widgets[0]!, all)
  await meddle(all.widgets as Pairs)
  online()
  later(REST)
  await sync()
  expect(told(await elsewhere.list())).toEqual(seen(await board()))
  expect(await notices()).toEqual(read)
})

test('the success of the checkpoint popover is announced once the server has confirmed the mutation', async () => {
  const first = (await start('premium')).widgets[0]!
  await commits([], [2, 1, 0], 0)(scene.context(), first, await board())
  expect(await notices()).toEqual([])
  await sync()
  const [again] = (await board()).widgets
  const draft = { deleted: [], order: idsOf(again!), defaultId: idsOf(first)[0]! }
  await addCheckpoint(scene.context(), first.id, 15, draft)
  await sync()
  expect(await said()).toEqual(['success: Checkpoint changes saved.', 'success: Checkpoint added and set as default.'])
})
