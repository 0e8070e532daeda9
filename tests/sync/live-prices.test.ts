import { expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { ensureIdentity } from '../../src/db/identity'
import { LocalDatabase, readMeta, readPrices } from '../../src/db/database'
import { readNotices } from '../../src/db/notices'
import { writeAggregated } from '../../src/db/history-rows'
import { DAY, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { createEngine } from '../../src/sync/engine'
import { NOW, testContext } from '../db/support/entries'
import { type Handler, json, SETTINGS, wiredEnv } from './support/wire'

const [BITCOIN, ETHEREUM] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const limits = { max_widgets: 5, max_checkpoints_per_widget: 1 }
const PRICES = '/api/v3/simple/price'
const coin = (id: string) => ({ id, symbol: id, name: id, image: null, current_price: 1, market_cap_rank: 1 })

/** A server that knows everything; `change` says what it does otherwise. */
const serverWith = (change: Record<string, Handler> = {}): Record<string, Handler> => ({
  '/api/v1/config': () => json(200, SETTINGS),
  '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
  '/api/v1/coins/supported': () => json(200, [coin('bitcoin'), coin('ethereum')]),
  '/api/v1/widgets': ({ init }) => (init.method === 'GET' ? json(200, []) : json(503, {})),
  [PRICES]: () => json(200, { bitcoin: { usd: 5 }, ethereum: { usd: 2 } }),
  ...change,
})

/** A browser whose user has just added BTC/ETH; each tab has its own connection and its own engine. */
async function browserWithPair() {
  const context = testContext()
  await ensureIdentity(context, new Uint8Array(24))
  await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  const openTab = () => new LocalDatabase(context.db.name)
  return { ...context, openTab }
}
const at = (env: ReturnType<typeof wiredEnv>, time: number) => vi.mocked(env.now).mockReturnValue(time)
const asked = (env: ReturnType<typeof wiredEnv>, path: string) => env.asked.filter((one) => one.includes(path))

test('live prices are polled by one tab for all, at most every 75 s, and are the same in every tab and after a reload', async () => {
  const { db, openTab } = await browserWithPair()
  const tabs = [1, 2, 3].map(() => wiredEnv(openTab(), serverWith()))
  const everyTab = (time: number) =>
    Promise.all(
      tabs.map((env) => {
        at(env, time)
        return createEngine(env).sync('tick')
      }),
    )
  const polls = () => tabs.flatMap((env) => asked(env, PRICES)).length
  await everyTab(NOW)
  expect(polls()).toBe(1)
  await everyTab(NOW + 74_999)
  expect(polls()).toBe(1)
  await everyTab(NOW + 75_000)
  expect(polls()).toBe(2)

  const stored = await readPrices(db)
  expect(stored!.prices).toEqual({
    bitcoin: { usd: 5, first_seen_at: NOW, provider_time: NOW + 75_000 },
    ethereum: { usd: 2, first_seen_at: NOW, provider_time: NOW + 75_000 },
  })
  for (const { db: tab } of tabs) expect(await readPrices(tab)).toEqual(stored)
  for (const tab of [db, ...tabs.map((env) => env.db)]) tab.close()
  expect(await readPrices(openTab())).toEqual(stored)
})

test.each([
  [429, { detail: 'Slow down.', error_code: 'RATE_LIMITED' }, 'Slow down.'],
  [404, { status: {} }, 'HTTP error! Status: 404'],
  [500, 'oops', 'HTTP error! Status: 500'],
])('a price poll answered with %i leaves a notice, and the known prices stay', async (status, body, reason) => {
  const { db } = await browserWithPair()
  const good = wiredEnv(db, serverWith())
  await createEngine(good).sync('start')
  const before = await readPrices(db)
  const bad = wiredEnv(db, serverWith({ [PRICES]: () => json(status, body) }))
  at(bad, NOW + 75_000)
  await createEngine(bad).sync('tick')
  expect(await readPrices(db)).toEqual(before)
  expect((await readNotices(db)).map(({ kind, message }) => [kind, message])).toContainEqual([
    'error',
    `Failed to fetch latest prices. Error: ${reason}`,
  ])
})

const history = (env: ReturnType<typeof wiredEnv>) => asked(env, '/historical').toSorted()
const dayOf = (id: string) => `GET /api/v1/coins/${id}/historical?period=1d`

test('a sync after a pair was added fetches the history of the last day for the coins of the pair', async () => {
  const { db } = await browserWithPair()
  const env = wiredEnv(db, serverWith())
  await createEngine(env).sync('command')
  expect(history(env)).toEqual([dayOf('bitcoin'), dayOf('ethereum')])
})

test('a start fetches a coin’s history as far back as that is stale, and the last day as well', async () => {
  const { db } = await browserWithPair()
  const level = (id: CoinId, time: number) => ({
    coin: id,
    granularity: 'fiveMinutely' as const,
    source: 'simulated' as const,
    series: { times: Float64Array.of(time), prices: Float64Array.of(5) },
  })
  await writeAggregated(db, [level(BITCOIN, NOW - 2 * DAY), level(ETHEREUM, NOW - 5 * MINUTE)], NOW)
  const env = wiredEnv(db, serverWith())
  await createEngine(env).sync('start')
  expect(history(env)).toEqual([dayOf('bitcoin'), dayOf('bitcoin').replace('1d', '7d')])
})

const noticesOf = async (change: Record<string, Handler>) => {
  const { db } = await browserWithPair()
  const env = wiredEnv(db, serverWith(change))
  const engine = createEngine(env)
  await engine.sync('start')
  at(env, NOW + 5 * MINUTE)
  await engine.sync('tick')
  return (await readNotices(db)).map(({ kind, message }) => [kind, message])
}

test.each([
  ['a coin list', '/coins/supported', { detail: 'No list.' }, 'Failed to load supported coins: No list.'],
  ['the pairs', '/widgets', 'oops', 'Could not load your pairs.'],
  ['the pairs, with words of the server', '/widgets', { detail: 'It is closed.' }, 'It is closed.'],
])('what cannot be loaded leaves one notice: %s', async (_, path, body, sentence) => {
  const refused: Handler = ({ init }) => json(init.method === 'GET' ? 500 : 503, body)
  expect(await noticesOf({ [`/api/v1${path}`]: refused })).toEqual([['error', sentence]])
})

test('pairs that cannot be loaded leave no notice while the cause stands on the screen in their place', async () => {
  const context = testContext()
  await ensureIdentity(context, new Uint8Array(24))
  await createEngine(wiredEnv(context.db, serverWith({ '/api/v1/widgets': () => json(500, 'oops') }))).sync('start')
  expect(await readNotices(context.db)).toEqual([])
  expect((await readMeta(context.db, 'sync_state'))!.problems.widgets).toBe('Could not load your pairs.')
})

test('a coin list whose request has no answer is known to be unanswered until one comes', async () => {
  const { db } = await browserWithPair()
  const lost = { '/api/v1/coins/supported': () => Promise.reject(new TypeError('Failed to fetch')) }
  const unanswered = async () => (await readMeta(db, 'sync_state'))!.unanswered?.coins
  await createEngine(wiredEnv(db, serverWith(lost))).sync('start')
  expect(await unanswered()).toBe(true)
  const env = wiredEnv(db, serverWith())
  at(env, NOW + 5 * MINUTE)
  await createEngine(env).sync('tick')
  expect(await unanswered()).toBeUndefined()
})

test('a sync without any network leaves no notice, and records since when the server is unreachable', async () => {
  const { db } = await browserWithPair()
  await createEngine(wiredEnv(db, {})).sync('start')
  expect(await readNotices(db)).toEqual([])
  expect((await readMeta(db, 'sync_state'))!.unreachable_since).toBe(NOW)
})
