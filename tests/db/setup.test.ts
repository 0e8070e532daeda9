import { expect, test } from 'vitest'
import { loadSetup, previewSetup, readSetupPairs, readViewSettings } from '../../src/db/setup'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { updateWidget } from '../../src/db/commands/widgets'
import type { CommandContext } from '../../src/db/command'
import { readMeta, writeMeta } from '../../src/db/database'
import { withSnapshot } from '../../src/db/board-rows'
import { INITIAL_SETTINGS, settingsInFile } from '../../src/db/widget-settings'
import type { CoinId } from '../../src/domain/ids'
import { readSetup, type Setup, type SetupPair, writeSetup } from '../../src/domain/setup-file'
import { configOf } from '../ui/support/config'
import { everySetting } from '../support/every-setting'
import { widgetRow } from '../support/widget-row'
import { NOW } from './support/entries'
import { addPair, guestContext, kindsOf, userContext } from './support/people'
import { MOVE } from '../support/move-rule'

const withCoins = async (context: CommandContext) => {
  const coins = ['aaa', 'bbb', 'ccc', 'ddd', 'eee', 'fff', 'ggg'].map((id) => ({
    id: id as CoinId,
    symbol: id,
    name: id,
    image: null,
    current_price: null,
    market_cap_rank: 1,
  }))
  await writeMeta(context.db, 'coins', { coins, fetched_at: NOW, etag: null })
  return context
}
const guest = async () => withCoins(await guestContext())
const user = async (premium: boolean) => withCoins(await userContext(premium))
const pair = (base: string, quote: string, change: Partial<SetupPair> = {}): SetupPair => ({
  base: base as CoinId,
  quote: quote as CoinId,
  ...settingsInFile(INITIAL_SETTINGS),
  checkpoints: [],
  rules: [],
  ...change,
})
const setupOf = (...pairs: readonly SetupPair[]): Setup => ({ pairs, device: {} })
const planOf = async ({ db }: CommandContext, setup: Setup) => {
  const planned = await previewSetup(db, setup)
  if (planned?.ok !== true) throw new Error(planned?.problem)
  return planned.plan
}
const load = async (context: CommandContext, setup: Setup) => loadSetup(context, setup, await planOf(context, setup))
const CHECKPOINTS = [1, 2, 3, 4, 5].map((ratio) => ({
  ratio,
  saved_at: '2026-01-01T00:00:00.000Z',
  is_default: ratio === 4,
}))

test('a board, changes that wait included, comes out of another browser as it went into the setup', async () => {
  const from = await guest()
  const id = await addPair(from, 'aaa', 'bbb')
  await addPair(from, 'bbb', 'aaa')
  await updateWidget(from, id, {
    alerts: { high: { threshold: 20 }, low: { threshold: 3 } },
    notificationsEnabled: true,
  })
  await updateWidget(from, id, { alerts: { high: { armed: false } } })
  await saveCheckpoint(from, id, 7, { a: 21, b: 3 })
  const pairs = await readSetupPairs(from.db)
  expect(pairs).toMatchObject([
    {
      base: 'aaa',
      quote: 'bbb',
      high: 20,
      high_armed: false,
      low: 3,
      low_armed: true,
      alerts: true,
      checkpoints: [{ prices: { a: 21, b: 3 } }],
    },
    { base: 'bbb', quote: 'aaa', alerts: false },
  ])
  for (const to of [await guest(), await user(true)]) {
    expect(await load(to, setupOf(...pairs))).toMatchObject({ ok: true })
    expect(await readSetupPairs(to.db)).toEqual(pairs)
  }
})

test('every setting of a pair that a user can change goes through the text of a setup file', async () => {
  const settings = everySetting()
  const from = await guest()
  const { owner } = (await from.db.session.get('current'))!
  await from.db.widgets.put(widgetRow({ owner, coin_a_id: 'aaa' as CoinId, coin_b_id: 'bbb' as CoinId, ...settings }))
  const text = await writeSetup(setupOf(...(await readSetupPairs(from.db))), NOW, async () => 'checksum')
  const read = readSetup(text)
  if (!read.ok) throw new Error(read.problem)
  const to = await user(true)
  expect(await load(to, read.setup)).toMatchObject({ ok: true })
  expect(await withSnapshot(to.db, ({ shown }) => shown)).toMatchObject([settings])
})

test('pairs that are there stay as they are, those beyond the limit are left out, and a second load adds nothing', async () => {
  const context = await user(false)
  for (const coin of ['bbb', 'ccc', 'ddd']) await addPair(context, 'aaa', coin)
  const setup = setupOf(pair('aaa', 'bbb', { high: 9 }), pair('aaa', 'eee'), pair('aaa', 'fff'), pair('aaa', 'ggg'))
  expect(await planOf(context, setup)).toMatchObject({
    adds: ['AAA/EEE', 'AAA/FFF'],
    there: ['AAA/BBB'],
    beyond: ['AAA/GGG'],
  })
  await load(context, setup)
  expect((await readSetupPairs(context.db)).map(({ quote, high }) => [quote, high])).toEqual([
    ['bbb', null],
    ['ccc', null],
    ['ddd', null],
    ['eee', null],
    ['fff', null],
  ])
  const before = await kindsOf(context)
  await load(context, setup)
  expect(await kindsOf(context)).toEqual(before)
})

const RULE = { ...MOVE, loudness: 'quiet', note: 'Sell half' } as const

test.each([
  ['free', false, ['rules'], [1, 0], 2],
  ['premium', true, ['rules'], [2, 1], 0],
  ['premium, at a server of an earlier version,', true, [], [0, 0], 3],
] as const)(
  'alerts beside thresholds of a %s setup come as far as plan and server hold them',
  async (_, premium, alert_features, there, beyond) => {
    const context = await user(premium)
    await writeMeta(context.db, 'config', {
      config: configOf({ alert_features: [...alert_features] }),
      fetched_at: NOW,
    })
    const setup = setupOf(
      pair('aaa', 'bbb', { rules: [RULE, { ...RULE, level: 7 }] }),
      pair('bbb', 'aaa', { rules: [RULE] }),
    )
    expect((await planOf(context, setup)).rulesBeyond).toBe(beyond)
    await load(context, setup)
    const pairs = await readSetupPairs(context.db)
    expect(pairs.map(({ rules }) => rules.length)).toEqual(there)
    if (there[0] > 0) expect(pairs[0]?.rules[0]).toEqual(RULE)
  },
)

test.each([
  ['a guest', guest, [4], 4],
  ['a user of the free plan', () => user(false), [4], 4],
  ['a premium user with a limit of four', () => user(true), [1, 2, 3, 4], 1],
] as const)('checkpoints of %s come as far as the plan holds them, default first', async (_, who, ratios, beyond) => {
  const context = await who()
  const setup = setupOf(pair('aaa', 'bbb', { checkpoints: CHECKPOINTS }))
  expect((await planOf(context, setup)).checkpointsBeyond).toBe(beyond)
  await load(context, setup)
  const [{ checkpoints } = pair('aaa', 'bbb')] = await readSetupPairs(context.db)
  expect(checkpoints.map(({ ratio }) => ratio)).toEqual(ratios)
  expect(checkpoints.find(({ is_default }) => is_default)?.ratio).toBe(4)
})

test('a setup takes over how charts and dashboard look, together with the pairs, and leaves out what this version does not know', async () => {
  const from = await guest()
  await writeMeta(from.db, 'chart_choices', { average: true, bands: false, period: '7d' })
  await writeMeta(from.db, 'dashboard', { view: 'list', order: 'near', keys: false })
  const device = await readViewSettings(from.db)
  const to = await guest()
  const setup: Setup = { pairs: [pair('aaa', 'bbb')], device: { ...device, chart_shape: 'round' } }
  const plan = await planOf(to, setup)
  expect(plan.changesViews).toBe(true)
  expect(await readMeta(to.db, 'chart_choices')).toBeUndefined()
  await loadSetup(to, setup, plan)
  expect(await readMeta(to.db, 'chart_choices')).toEqual({ average: true, bands: false, period: '7d' })
  expect(await readMeta(to.db, 'dashboard')).toEqual({ view: 'list', order: 'near', keys: false })
  expect((await planOf(to, setup)).changesViews).toBe(false)
  expect((await planOf(to, { pairs: [], device: { chart_average: 1, chart_bands: 'x' } })).changesViews).toBe(false)
})

test('a coin that is not in the list is named, and nothing is loaded', async () => {
  const context = await guest()
  const setup = setupOf(pair('aaa', 'bbb'), pair('aaa', 'nowhere'))
  expect(await previewSetup(context.db, setup)).toEqual({
    ok: false,
    problem: 'This setup cannot be loaded: there is no coin called nowhere.',
  })
  const plan = await planOf(context, setupOf(pair('aaa', 'bbb')))
  expect(await loadSetup(context, setup, plan)).toMatchObject({ ok: false })
  expect(await kindsOf(context)).toEqual([])
})

test('a browser that has never loaded the coins says so', async () => {
  const { db } = await guestContext()
  expect(await previewSetup(db, setupOf(pair('aaa', 'bbb')))).toMatchObject({
    ok: false,
    problem: expect.stringContaining('list of coins'),
  })
})

test('pairs that have changed since the preview refuse the load, and nothing is loaded', async () => {
  const context = await guest()
  const setup = setupOf(pair('aaa', 'bbb'), pair('aaa', 'ccc'))
  const plan = await planOf(context, setup)
  await addPair(context, 'aaa', 'ccc')
  const before = await kindsOf(context)
  expect(await loadSetup(context, setup, plan)).toEqual({
    ok: false,
    message: 'Your pairs have changed since the preview, and nothing was loaded. Choose the file again.',
  })
  expect(await kindsOf(context)).toEqual(before)
})

test('a storage that fails in the middle of a load leaves nothing of it', async () => {
  const context = await guest()
  const setup = setupOf(pair('aaa', 'bbb'), pair('aaa', 'ccc'), pair('aaa', 'ddd'))
  const plan = await planOf(context, setup)
  let added = 0
  const failing = () => {
    if (++added === 3) throw new Error('full')
  }
  context.db.outbox.hook('creating', failing)
  await expect(loadSetup(context, setup, plan)).rejects.toThrow('full')
  context.db.outbox.hook('creating').unsubscribe(failing)
  expect(await kindsOf(context)).toEqual([])
})
