import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import type { CommandContext } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { addWidget, removeWidget, reorderWidgets, setAlerts } from '../../src/db/commands/widgets'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { setThreshold } from '../support/set-threshold'
import type { LocalDatabase } from '../../src/db/database'
import type { BoardView, WidgetView } from '../../src/db/view'
import { readBoard } from '../../src/db/queries/board'
import { readNotices } from '../../src/db/notices'
import type { CoinId } from '../../src/domain/ids'
import { SAVED_AT } from '../server/support/person'
import { type TestApp, testApp } from '../server/support/test-app'
import { type Browser, startBrowser, type Tier } from './support/browser'

let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: { PREMIUM_MAX_CHECKPOINTS: '4' } })
})
afterAll(() => server.close())

const board = async (db: LocalDatabase): Promise<BoardView> => (await readBoard(db))!

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

/** Two pairs, the first of them with as many checkpoints as its owner may have, but one for premium. */
async function start(tier: Tier): Promise<Browser> {
  const browser = await startBrowser(server, tier)
  const { elsewhere } = browser
  const { id } = await elsewhere.add('bitcoin', 'ethereum')
  await elsewhere.add('ethereum', 'bitcoin')
  const path = `/widgets/${id}/checkpoints${tier === 'guest' ? '/anonymous' : ''}`
  for (const ratio of tier === 'premium' ? [11, 12, 13] : [11]) {
    await elsewhere.ask(
      'POST',
      path,
      { ratio, timestamp: SAVED_AT, is_default: true },
      { 'idempotency-key': crypto.randomUUID() },
    )
  }
  await browser.sync()
  return browser
}

type Change = (context: CommandContext, first: WidgetView, all: BoardView) => Promise<{ readonly ok: boolean }>
const idsOf = ({ checkpoints }: WidgetView) => checkpoints.map(({ id }) => id)

// oxfmt-ignore
const CHANGES: readonly (readonly [name: string, tier: Tier, change: Change, refusal: string])[] = [
  ['adding a pair', 'guest', (context) => addWidget(context, { coinA: 'solana' as CoinId, coinB: 'bitcoin' as CoinId }), 'Failed to add SOL/BTC: No.'],
  ['removing a pair', 'guest', (context, { id }) => removeWidget(context, id), 'Failed to remove BTC/ETH: No.'],
  ['a new order of pairs', 'guest', (context, _, { widgets }) => reorderWidgets(context, widgets.map(({ id }) => id).toReversed()), 'Error: Could not save your new layout.'],
  ['a threshold', 'guest', (context, { id }) => setThreshold(context, id, 'high', 20.5, false), 'Failed to update BTC/ETH: No. Reverting change.'],
  ['alerts', 'free', (context, { id }) => setAlerts(context, id, true, 20), 'Failed to update BTC/ETH: No. Reverting change.'],
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
    const browser = await start(tier)
    const before = await board(browser.context.db)
    browser.setOffline(true)
    expect((await change(browser.context, before.widgets[0]!, before)).ok).toBe(true)
    const changed = await board(browser.context.db)
    expect(seen(changed)).not.toEqual(seen(before))
    expect(await board(browser.otherTab())).toEqual(changed)

    server.clock.advance(REST)
    await browser.sync()
    expect(seen(await board(browser.context.db))).toEqual(seen(changed))
    expect((await board(browser.context.db)).changes.length).toBeGreaterThan(0)
    const { db } = await browser.reload()
    expect(seen(await board(db))).toEqual(seen(changed))

    browser.setOffline(false)
    server.clock.advance(REST)
    await browser.sync()
    expect((await board(db)).changes).toEqual([])
    expect(seen(await board(db))).toEqual(seen(changed))
    expect(told(await browser.elsewhere.list())).toEqual(seen(changed))
    expect(await board(browser.otherTab())).toEqual(await board(db))
    browser.close()
  })

  test('a refused mutation is undone in every tab, and a notice says why', async () => {
    const browser = await start(tier)
    const { db } = browser.context
    const before = await board(db)
    await change(browser.context, before.widgets[0]!, before)
    server.clock.advance(REST)
    browser.refuseNext(403, 'FORBIDDEN', 'No.')
    await browser.sync()
    const after = await board(db)
    expect(seen(after)).toEqual(seen(before))
    expect(after.changes.every(({ state }) => state === 'failed')).toBe(true)
    expect(await board(browser.otherTab())).toEqual(after)
    expect((await readNotices(db)).map(({ kind, message }) => [kind, message])).toEqual([['error', refusal]])
    expect(told(await browser.elsewhere.list())).toEqual(seen(before))
    browser.close()
  })
})

test('a layout refused for mixing active and inactive pairs goes back to the current layout of the server', async () => {
  const browser = await start('guest')
  const { db } = browser.context
  await browser.elsewhere.add('solana', 'bitcoin')
  const { widgets } = await board(db)
  await reorderWidgets(browser.context, widgets.map(({ id }) => id).toReversed())
  server.clock.advance(REST)
  browser.refuseNext(409, 'FORBIDDEN_REORDER_MIX', 'No.')
  await browser.sync('tick')
  expect((await readNotices(db)).map(({ message }) => message)).toEqual([
    'Cannot mix active and inactive widgets. Reverting layout.',
  ])
  expect((await board(db)).widgets).toHaveLength(3)
  expect(told(await browser.elsewhere.list())).toEqual(seen(await board(db)))
  browser.close()
})

describe('conflict with another device', () => {
  const path = (id: string) => `/widgets/${id}/checkpoints`
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })
  const body = { ratio: 20, timestamp: SAVED_AT, is_default: true }
  /** Goes offline, lets both sides change something, comes back, and tells what the user reads. */
  const collide = async (
    tier: Tier,
    change: Change,
    meddle: (browser: Browser, first: WidgetView) => Promise<unknown>,
  ) => {
    const browser = await start(tier)
    const all = await board(browser.context.db)
    browser.setOffline(true)
    await change(browser.context, all.widgets[0]!, all)
    await meddle(browser, all.widgets[0]!)
    browser.setOffline(false)
    server.clock.advance(REST)
    await browser.sync()
    const { db } = browser.context
    expect(told(await browser.elsewhere.list())).toEqual(seen(await board(db)))
    const notices = (await readNotices(db)).map(({ message }) => message)
    browser.close()
    return notices
  }
  const saves: Change = (context, { id }) => saveCheckpoint(context, id, 15)
  const saveSecond: Change = (context, _, { widgets }) => saveCheckpoint(context, widgets[1]!.id, 15)
  const LIMIT = "You've reached the maximum number of checkpoints for your tier. Please upgrade to add more."

  test('a first checkpoint is taken back with a notice when another device has reached the checkpoint limit', async () => {
    const fills = async ({ elsewhere, context }: Browser) => {
      const { widgets } = await board(context.db)
      await elsewhere.ask('POST', path(widgets[1]!.id), body, key())
    }
    expect(await collide('free', saveSecond, fills)).toEqual([LIMIT])
  })

  test('a checkpoint added in the popover is taken back when another device has reached the checkpoint limit', async () => {
    const adds: Change = (context, first) =>
      addCheckpoint(context, first.id, 15, { deleted: [], order: idsOf(first), defaultId: idsOf(first)[2]! })
    expect(
      await collide('premium', adds, ({ elsewhere }, { id }) => elsewhere.ask('POST', path(id), body, key())),
    ).toEqual([LIMIT])
  })

  const deletesDefault = ({ elsewhere }: Browser, { id, checkpoints }: WidgetView) =>
    elsewhere.ask('DELETE', `${path(id)}/${checkpoints.find(({ isDefault }) => isDefault)!.id}`, undefined, key())

  test('updating a checkpoint that another device has deleted fails with a notice', async () => {
    expect(await collide('premium', saves, deletesDefault)).toEqual([
      'Failed to update checkpoint: The widget has no such checkpoint.',
    ])
  })

  test('a checkpoint deleted on another device cannot become the default, and deletions answered before stand', async () => {
    const prefers: Change = (context, first) =>
      commitCheckpoints(context, first.id, {
        deleted: idsOf(first).slice(1, 2),
        order: [idsOf(first)[0]!, idsOf(first)[2]!],
        defaultId: idsOf(first)[0]!,
      })
    const deletesFirst = ({ elsewhere }: Browser, { id, checkpoints }: WidgetView) =>
      elsewhere.ask('DELETE', `${path(id)}/${checkpoints[0]!.id}`, undefined, key())
    expect(await collide('premium', prefers, deletesFirst)).toEqual([
      'Failed to save checkpoint changes: The widget has no such checkpoint.',
    ])
  })

  test('deleting a checkpoint that another device has deleted too counts as done', async () => {
    expect(await collide('premium', (context, { id }) => deleteDefaultCheckpoint(context, id), deletesDefault)).toEqual(
      [],
    )
    const both: Change = (context, first) =>
      commitCheckpoints(context, first.id, {
        deleted: idsOf(first).slice(2),
        order: idsOf(first).slice(0, 2),
        defaultId: idsOf(first)[1]!,
      })
    expect(await collide('premium', both, deletesDefault)).toEqual(['Checkpoint changes saved.'])
  })

  test('removing a pair on another device ends the waiting mutations of that pair', async () => {
    const removes = ({ elsewhere }: Browser, { id }: WidgetView) => elsewhere.remove(id)
    expect(await collide('premium', (context, { id }) => deleteDefaultCheckpoint(context, id), removes)).toEqual([])
    expect(await collide('premium', saves, removes)).toEqual([
      'Failed to update checkpoint: The widget has no such checkpoint.',
    ])
    expect(await collide('premium', (context, { id }) => setThreshold(context, id, 'high', 20, true), removes)).toEqual(
      ['Failed to update BTC/ETH: There is no such widget. Reverting change.'],
    )
    expect(await collide('premium', (context, { id }) => removeWidget(context, id), removes)).toEqual([
      'Pair BTC/ETH was already removed from server.',
    ])
  })

  test('adding a pair is taken back with a notice when another device has reached the widget limit', async () => {
    const adds: Change = (context) => addWidget(context, { coinA: 'solana' as CoinId, coinB: 'bitcoin' as CoinId })
    const fills = async ({ elsewhere }: Browser) => {
      for (const [a, b] of [
        ['solana', 'ethereum'],
        ['cardano', 'solana'],
        ['cardano', 'bitcoin'],
      ] as const)
        await elsewhere.add(a, b)
    }
    expect(await collide('guest', adds, fills)).toEqual([
      "You've reached the maximum number of widgets for your tier. Please upgrade to add more.",
    ])
  })
})

test('the success of the checkpoint popover is announced once the server has confirmed the mutation', async () => {
  const browser = await start('premium')
  const { db } = browser.context
  const first = (await board(db)).widgets[0]!
  await commitCheckpoints(browser.context, first.id, {
    deleted: [],
    order: idsOf(first).toReversed(),
    defaultId: idsOf(first)[0]!,
  })
  expect(await readNotices(db)).toEqual([])
  await browser.sync()
  const [again] = (await board(db)).widgets
  await addCheckpoint(browser.context, first.id, 15, { deleted: [], order: idsOf(again!), defaultId: idsOf(first)[0]! })
  await browser.sync()
  expect((await readNotices(db)).map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'success: Checkpoint changes saved.',
    'success: Checkpoint added and set as default.',
  ])
  browser.close()
})
