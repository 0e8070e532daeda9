import { expect, test, vi } from 'vitest'
import { readMeta } from '../../src/db/database'
import { type DailyMatrix, encodeDailyMatrix, utcDayOf } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'
import { POLL_INTERVAL } from '../../src/domain/live-prices'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { createEngine } from '../../src/sync/engine'
import { keepStream } from '../../src/sync/stream/keep-stream'
import { workerApi } from '../../workers/worker-api'
import { NOW, widgetNumber } from '../db/support/entries'
import { userContext, userRecord } from '../db/support/people'
import { historyAnswer } from './support/history-answer'
import { streamServer } from './support/stream-server'
import { virtualTime } from './support/virtual-time'
import { json, SETTINGS, wiredEnv } from './support/wire'

const STEP_MS = 37_500
/** Milliseconds between two runs of the page's worker that make history points of live prices. */
const AGGREGATION = 5 * MINUTE

/** A year of closes that ends with yesterday. */
const closes = (coins: readonly CoinId[]): DailyMatrix => ({
  source: 'simulated',
  firstDay: utcDayOf(NOW) - 365,
  days: 365,
  ranked: coins.length,
  coins,
  prices: new Float32Array(365 * coins.length).fill(5),
})

/** The open app of a user whose pair has fired: its engine, its clock, its web worker, and a server that streams or does not. */
async function openApp(streams: boolean) {
  const time = virtualTime(NOW)
  const context = await userContext(false, time.now)
  const { db } = context
  const session = (await db.session.get('current'))!
  const server = streamServer()
  const widget = widgetNumber(0, { high_threshold_active: false, high_epoch: 1 })
  const coins = [widget.coin_a_id, widget.coin_b_id]
  const history = () => json(200, historyAnswer([[time.now(), 5]]))
  const price = { usd: 5, last_updated_at: Math.floor(NOW / 1000) }
  const policy = { version: '1', path: '/x' }
  const wired = wiredEnv(db, {
    '/api/v1/widgets': () => json(200, [widget], { 'x-widgets-revision': '1', etag: 'W/"1"' }),
    '/api/v1/alerts': () =>
      json(200, { as_of: new Date(time.now()).toISOString(), alerts: [] }, { 'x-total-count': '0' }),
    '/api/v1/config': () => json(200, SETTINGS),
    '/api/v1/settings/tier-limits': () =>
      json(200, {
        free: { max_widgets: 5, max_checkpoints_per_widget: 1 },
        premium: { max_widgets: 50, max_checkpoints_per_widget: 4 },
      }),
    '/api/v1/policies/current': () => json(200, { terms: policy, privacy: policy }),
    '/api/v1/users/me': () => json(200, userRecord(session.owner, false)),
    '/api/v1/coins/supported': () =>
      json(
        200,
        coins.map((id, n) => ({ id, symbol: id, name: id, image: null, current_price: 5, market_cap_rank: n + 1 })),
      ),
    '/api/v3/simple/price': () => json(200, Object.fromEntries(coins.map((id) => [id, price]))),
    ...Object.fromEntries(coins.map((id) => [`/api/v1/coins/${id}/historical`, history])),
    '/api/v1/market/daily': () =>
      new Response(encodeDailyMatrix(closes(coins)), { headers: { 'content-type': 'application/octet-stream' } }),
    '/api/v1/stream': (request) =>
      streams ? server.handle(request) : json(404, { detail: 'Not found', error_code: 'NO_SUCH_ROUTE' }),
  })
  const env = { ...wired, now: time.now, timer: time.timer }
  const engine = createEngine(env)
  const keeper = keepStream({
    env,
    target: { owner: session.owner, coins },
    onPolling: () => undefined,
    onFailure: (error) => {
      throw error
    },
  })
  if (streams) {
    const stream = await server.opened(1)
    stream.send('open', { pull: true, now: NOW })
    stream.send('widgets', { revision: 1 })
    stream.send('account', { revision: 1 })
    stream.send('policies', { version: 'p' })
    stream.send('config', { version: 'c' })
    await vi.waitFor(async () => expect((await readMeta(db, 'versions'))?.config?.told).toBe('c'))
  } else await vi.waitFor(async () => expect(await readMeta(db, 'stream')).toMatchObject({ reason: 'unsupported' }))
  await engine.sync('start')
  await engine.sync('command')
  env.asked.length = 0

  const worker = workerApi(db)
  for (let passed = STEP_MS; passed <= HOUR; passed += STEP_MS) {
    time.moveTo(NOW + passed)
    if (streams) {
      const usd = 5 + passed / HOUR
      const prices = Object.fromEntries(coins.map((id) => [id, [usd, time.now(), null] as [number, number, null]]))
      server.streams[0]!.send('prices', { source: 'simulated', now: time.now(), prices })
      await vi.waitFor(async () => expect((await db.prices.get('usd'))?.prices[coins[0]!]?.usd).toBe(usd), {
        interval: 2,
        timeout: 60_000,
      })
    }
    if (passed % AGGREGATION === 0) await worker.aggregate(time.now())
    if (passed % POLL_INTERVAL === 0) await engine.sync('tick')
  }
  await keeper.stop()
  return env.asked
}

test('an open, idle app that follows the stream asks its server at most four times an hour', async () => {
  const asked = await openApp(true)
  expect(asked.toSorted()).toEqual([expect.stringMatching(/^GET \/api\/v1\/alerts/), 'GET /api/v1/widgets'])
})

test('an open, idle app without a stream polls prices, pairs and account as before', async () => {
  const asked = await openApp(false)
  const count = (path: string) => asked.filter((request) => request.startsWith(`GET ${path}`)).length
  expect([count('/api/v3/simple/price'), count('/api/v1/widgets'), count('/api/v1/users/me')]).toEqual([48, 48, 48])
  expect(count('/api/v1/config')).toBeGreaterThan(3)
})
