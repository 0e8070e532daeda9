import { liveQuery } from 'dexie'
import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { checkOtherPrices } from '../../../src/app/alerts/start-alerts'
import { startLiveFeeds } from '../../../src/app/live-feeds'
import { followAccount, followSettings } from '../../../src/app/open-local-database'
import { readMeta } from '../../../src/db/database'
import { readWork } from '../../../src/db/queries/waiting'
import { type DailyMatrix, encodeDailyMatrix, utcDayOf } from '../../../src/domain/daily-matrix'
import { createEngine } from '../../../src/sync/engine'
import { keepStream } from '../../../src/sync/stream/keep-stream'
import { workerApi } from '../../../workers/worker-api'
import { NOW, widgetNumber } from '../../db/support/entries'
import { userContext, userRecord } from '../../db/support/people'
import { measured } from '../../support/budgets.mjs'
import { historyAnswer } from '../../sync/support/history-answer'
import { streamServer } from '../../sync/support/stream-server'
import { virtualTime } from '../../sync/support/virtual-time'
import { json, SETTINGS, wiredEnv } from '../../sync/support/wire'

const HEARTBEAT = 20_000
const widgets = Array.from({ length: 50 }, (_, n) => widgetNumber(n))
const coins = [...new Set(widgets.flatMap(({ coin_a_id, coin_b_id }) => [coin_a_id, coin_b_id]))]
const closes: DailyMatrix = {
  source: 'simulated',
  firstDay: utcDayOf(NOW) - 365,
  days: 365,
  ranked: coins.length,
  coins,
  prices: new Float32Array(365 * coins.length).fill(5),
}
const policy = { version: '1', path: '/x' }
const tier = { max_widgets: 50, max_checkpoints_per_widget: 4 }
const list = coins.map((id, n) => ({ id, symbol: id, name: id, image: null, current_price: 5, market_cap_rank: n + 1 }))

/** Counts the transactions of all connections that are opened from now on, and waits until none is open or begins. */
function countTransactions() {
  const begin = Reflect.get(IDBDatabase.prototype, 'transaction')
  let count = 0
  let open = 0
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    const transaction = begin.apply(this, args)
    count += 1
    open += 1
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => (open -= 1))
    return transaction
  })
  const rest = async () => {
    for (let quiet = 0, before = count; quiet < 50; quiet++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (open > 0 || count > before) [quiet, before] = [0, count]
    }
  }
  return { rest, count: () => count }
}

/** The open app of a user with 50 pairs: page, web worker and engine on one database, and a server that streams. */
async function openApp() {
  const transactions = countTransactions()
  const time = virtualTime(NOW)
  const context = await userContext(true, time.now)
  const { db } = context
  const { owner } = (await db.session.get('current'))!
  const server = streamServer()
  const wired = wiredEnv(db, {
    '/api/v1/widgets': () => json(200, widgets, { 'x-widgets-revision': '1', etag: 'W/"1"' }),
    '/api/v1/alerts': () => json(200, { as_of: new Date(NOW).toISOString(), alerts: [] }, { 'x-total-count': '0' }),
    '/api/v1/config': () => json(200, SETTINGS),
    '/api/v1/settings/tier-limits': () => json(200, { free: tier, premium: tier }),
    '/api/v1/policies/current': () => json(200, { terms: policy, privacy: policy }),
    '/api/v1/users/me': () => json(200, userRecord(owner, true)),
    '/api/v1/coins/supported': () => json(200, list),
    ...Object.fromEntries(
      coins.map((id) => [`/api/v1/coins/${id}/historical`, () => json(200, historyAnswer([[time.now(), 5]]))]),
    ),
    '/api/v1/market/daily': () =>
      new Response(encodeDailyMatrix(closes), { headers: { 'content-type': 'application/octet-stream' } }),
    '/api/v1/stream': (request) => server.handle(request),
  })
  const env = { ...wired, now: time.now, timer: time.timer }
  const onFailure = (error: unknown) => {
    throw error
  }
  const engine = createEngine(env)
  const keeper = keepStream({ env, target: { owner, coins }, onPolling: () => undefined, onFailure })
  const stream = await server.opened(1)
  stream.send('open', { pull: true, now: NOW })

  const store = createStore()
  const worker = workerApi(db)
  const services = { commands: context, worker: () => worker } as never
  followAccount(store, db)
  followSettings(store, db)
  const clock = liveQuery(() => readWork(db)).subscribe({ error: onFailure })
  const ends = [startLiveFeeds(store, services), checkOtherPrices(store, context), () => clock.unsubscribe()]
  const sendPrices = (usd: number) =>
    stream.send('prices', {
      source: 'simulated',
      now: time.now(),
      prices: Object.fromEntries(coins.map((id) => [id, [usd, time.now(), null] as [number, number, null]])),
    })
  return { db, ends, engine, env, keeper, sendPrices, stream, time, transactions }
}

test('an idle minute of an open app with 50 pairs and the stream takes few transactions of the local database', async () => {
  const { db, ends, engine, env, keeper, sendPrices, stream, time, transactions } = await openApp()
  const beat = async () => {
    time.moveTo(time.now() + HEARTBEAT)
    stream.write(':\n\n')
    await transactions.rest()
  }
  sendPrices(5)
  await engine.sync('start')
  await engine.sync('tick')
  await vi.dynamicImportSettled()
  await beat()
  // Prices after the pause between two summaries end it: it is twenty real seconds, within which a slow machine may count.
  sendPrices(5.05)
  await transactions.rest()
  env.asked.length = 0

  const begun = transactions.count()
  for (let beats = 0; beats < 3; beats += 1) await beat()
  sendPrices(5.1)
  await transactions.rest()
  await engine.sync('tick')
  await transactions.rest()
  measured('idle minute with 50 pairs: IndexedDB transactions', transactions.count() - begun)
  expect(env.asked).toEqual([])
  expect(await readMeta(db, 'stream')).toMatchObject({ heard_at: NOW + 4 * HEARTBEAT })
  expect((await db.prices.get('usd'))?.prices[coins[0]!]?.usd).toBe(5.1)

  for (const end of ends) end()
  await keeper.stop()
})
