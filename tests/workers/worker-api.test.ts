import { MessageChannel } from 'node:worker_threads'
import { expose, wrap } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import type { HistoryRow } from '../../src/db/rows'
import {
  BUCKET_MS,
  coarserThan,
  DAY,
  GRANULARITIES,
  type Granularity,
  HOUR,
  MINUTE,
} from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { type Period, PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import type { ChartAnswer, WorkerApi } from '../../workers/api'
import { workerApi } from '../../workers/worker-api'
import { pricesRow } from '../support/price-row'
import { withWorker } from './support/open-worker'

const NOW = 1_800_057_600_000 + 7 * MINUTE
const [BTC, ETH] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const priceOf = (coin: CoinId, time: number): number =>
  (coin === BTC ? 60_000 : 3_000) * (1 + 0.01 * Math.sin(time / HOUR))

const worker = withWorker()

const prices = (at: number, coins: readonly CoinId[] = [BTC, ETH]) =>
  pricesRow(Object.fromEntries(coins.map((coin) => [coin, priceOf(coin, at)])), at)

async function putTicks(coin: CoinId, from: number, until: number): Promise<void> {
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < until; hour += HOUR) {
    const times: number[] = []
    for (let time = Math.max(from, hour); time < Math.min(until, hour + HOUR); time += 75_000) times.push(time)
    await worker.db.ticks.put({
      coin_id: coin,
      hour,
      times: Float64Array.from(times),
      prices: Float64Array.from(times, (time) => priceOf(coin, time)),
    })
  }
}

async function putHistory(
  coin: CoinId,
  granularity: Granularity,
  from: number,
  source: 'simulated' | 'coingecko' = 'simulated',
) {
  const step = BUCKET_MS[granularity]
  const first = Math.ceil(from / step) * step
  const times = Float64Array.from({ length: Math.floor((NOW - first) / step) }, (_, i) => first + i * step)
  await worker.db.history.put({
    id: `${coin}:${granularity}`,
    coin_id: coin,
    granularity,
    source,
    times,
    prices: times.map((time) => priceOf(coin, time)),
    server_until: Math.floor(NOW / step) * step,
    fetch_timestamp: NOW - (coin === BTC ? 2 : 1) * MINUTE,
  })
}

async function putAll(): Promise<void> {
  for (const coin of [BTC, ETH]) {
    await putTicks(coin, NOW - 30 * HOUR, NOW)
    await putHistory(coin, 'fiveMinutely', NOW - 2 * DAY)
    await putHistory(coin, 'thirtyMinutely', NOW - 10 * DAY)
    await putHistory(coin, 'hourly', NOW - 100 * DAY)
    await putHistory(coin, 'daily', NOW - 400 * DAY)
  }
  await worker.db.prices.put(prices(NOW))
}

const missing = (level: Granularity) => ({ kind: 'error', message: `Chart data (${level}) not available.` })
const ready = async (period: Period) => {
  const answer = await worker.api.chart({ coinA: BTC, coinB: ETH, period, now: NOW })
  if (answer.kind !== 'ready') throw new Error(JSON.stringify(answer))
  return answer
}

test.each(PERIODS)('%s: the worker’s chart has equal columns that end with the current ratio', async (period) => {
  await putAll()
  const answer = await ready(period)
  expect(answer.ratio).toBeInstanceOf(Float64Array)
  expect(answer.times.at(-1)).toBe(NOW)
  expect(answer.ratio.at(-1)).toBe(priceOf(BTC, NOW) / priceOf(ETH, NOW))
  expect(answer.fetchedAt).toBe(NOW - 2 * MINUTE)
  for (const column of [answer.ratio, answer.ema, answer.upper, answer.lower]) {
    expect(column.length).toBe(answer.times.length)
  }
  expect(answer.upper.length).toBeGreaterThan(200)
})

test('a damaged record gives a chart error that names its level, and the worker still answers other charts', async () => {
  await putAll()
  await worker.db.history.update(`${ETH}:hourly`, { prices: new Float64Array(3) })
  const request = { coinA: BTC, coinB: ETH, now: NOW }
  expect(await worker.api.chart({ ...request, period: '1m' })).toEqual(missing('hourly'))
  expect((await worker.api.chart({ ...request, period: '1d' })).kind).toBe('ready')
})

test.each(PERIODS)(
  '%s: the chart reads both coins’ records of its own level, and coarser levels only of a coin whose record is short',
  async (period) => {
    await putAll()
    const granularity = PERIOD_RULES[period].granularity
    const request = { coinA: BTC, coinB: ETH, period, now: NOW }
    const read: string[] = []
    worker.db.history.hook('reading', (row) => {
      read.push(row.id)
      return row
    })
    expect((await worker.api.chart(request)).kind).toBe('ready')
    expect(read).toEqual([`${BTC}:${granularity}`, `${ETH}:${granularity}`])
    read.length = 0
    await putHistory(BTC, granularity, NOW - 20 * BUCKET_MS[granularity])
    expect((await worker.api.chart(request)).kind).toBe('ready')
    const coarser = coarserThan(granularity).map((level) => `${BTC}:${level}`)
    expect(read).toEqual([`${BTC}:${granularity}`, `${ETH}:${granularity}`, ...coarser])
  },
)

test('the worker moves the columns of a chart to the page instead of copying them', async () => {
  await putAll()
  const { port1, port2 } = new MessageChannel()
  const sent: ChartAnswer[] = []
  const own = workerApi(worker.db)
  const keeping: Pick<WorkerApi, 'chart'> = {
    chart: async (request) => {
      const answer = await own.chart(request)
      sent.push(answer)
      return answer
    },
  }
  expose(keeping, nodeEndpoint(port1))
  const answer = await wrap<WorkerApi>(nodeEndpoint(port2)).chart({ coinA: BTC, coinB: ETH, period: '7d', now: NOW })
  port1.close()
  port2.close()
  if (answer.kind !== 'ready' || sent[0]?.kind !== 'ready') throw new Error('not ready')
  const { times, ratio, ema, upper, lower } = sent[0]
  expect([times, ratio, ema, upper, lower].map((column) => column.length)).toEqual([0, 0, 0, 0, 0])
  expect(answer.lower.length).toBeGreaterThan(300)
})

test('the chart ignores history records of another market-data source', async () => {
  await putAll()
  await putHistory(ETH, 'thirtyMinutely', NOW - 10 * DAY, 'coingecko')
  await putHistory(ETH, 'hourly', NOW - 10 * DAY, 'coingecko')
  expect((await ready('7d')).times.length).toBeLessThanOrEqual(7 * 48 + 2)
  await worker.db.history.where('coin_id').equals(ETH).modify({ source: 'coingecko' })
  expect((await worker.api.chart({ coinA: BTC, coinB: ETH, period: '7d', now: NOW })).kind).toBe('error')
})

const request = { coinA: BTC, coinB: ETH, now: NOW }

/** Hours of ticks of both coins, folded, and no answer of the server. */
async function watched(since: number): Promise<void> {
  for (const coin of [BTC, ETH]) await putTicks(coin, since, NOW)
  await worker.db.prices.put(prices(NOW))
  await worker.api.aggregate(NOW)
}

test.each(PERIODS)('%s: ticks alone make no chart, and the answer names the missing level', async (period) => {
  await watched(NOW - 30 * HOUR)
  expect(await worker.api.chart({ ...request, period })).toEqual(missing(PERIOD_RULES[period].granularity))
  const symbols = { symbolA: 'BTC', symbolB: 'ETH' }
  await expect(worker.api.csv({ ...request, ...symbols, period })).rejects.toThrow('not available.')
})

test('a chart is there once the server has given the history of both coins, and not of one', async () => {
  await watched(NOW - MINUTE)
  await putHistory(BTC, 'thirtyMinutely', NOW - 8 * DAY)
  expect(await worker.api.chart({ ...request, period: '7d' })).toEqual(missing('thirtyMinutely'))
  await putHistory(ETH, 'thirtyMinutely', NOW - 8 * DAY)
  expect(await worker.api.chart({ ...request, period: '7d' })).toMatchObject({
    kind: 'ready',
    fetchedAt: NOW - 2 * MINUTE,
  })
})

test('a week’s chart is drawn from the day that the server gave while the week’s own history could not be had', async () => {
  for (const coin of [BTC, ETH]) await putHistory(coin, 'fiveMinutely', NOW - DAY)
  await watched(NOW - MINUTE)
  const answer = await ready('7d')
  expect(answer.times[0]! - (NOW - DAY)).toBeLessThan(30 * MINUTE)
  expect(answer.fetchedAt).toBe(NOW - 2 * MINUTE)
})

test('the worker gives one summary for each pair, in the order of the pairs', async () => {
  await putAll()
  const pairs = [BTC, ETH].map((coinA) => ({ coinA, coinB: coinA === BTC ? ETH : BTC }))
  const [there, back] = await worker.api.summaries(pairs, NOW)
  expect([there!.coinA, back!.coinA]).toEqual([BTC, ETH])
  expect(there!.spark.length).toBe(96)
  expect(there!.spark.at(-1)! * back!.spark.at(-1)!).toBeCloseTo(1, 12)
  expect(there!.change24h).toBeCloseTo(0, 6)
  expect(there!.trend).not.toBeNull()
})

test('a summary asked for three days after the last prices equals the summary at the last prices', async () => {
  await putAll()
  const pairs = [{ coinA: BTC, coinB: ETH }]
  expect(await worker.api.summaries(pairs, NOW + 3 * DAY)).toEqual(await worker.api.summaries(pairs, NOW))
})

test('a summary ignores history of another market-data source', async () => {
  await worker.db.prices.put(prices(NOW))
  for (const coin of [BTC, ETH]) await putHistory(coin, 'fiveMinutely', NOW - 2 * DAY, 'coingecko')
  const [summary] = await worker.api.summaries([{ coinA: BTC, coinB: ETH }], NOW)
  expect(summary).toMatchObject({ change24h: null, trend: null })
  expect(summary!.spark.length).toBe(1)
})

test('a summary on a fresh device has no change, no trend and no sparkline points', async () => {
  const [summary] = await worker.api.summaries([{ coinA: BTC, coinB: ETH }], NOW)
  expect(summary).toMatchObject({ change24h: null, trend: null, spark: new Float64Array(0) })
})

test('aggregation folds ticks into all four levels, and a second run without newer prices writes nothing', async () => {
  await putTicks(BTC, NOW - 2 * HOUR, NOW)
  await worker.db.prices.put(prices(NOW, [BTC]))
  await worker.api.aggregate(NOW)
  const rows = await worker.db.history.where('coin_id').equals(BTC).toArray()
  expect(rows.map((row) => row.granularity).toSorted()).toEqual(GRANULARITIES.toSorted())
  const five = rows.find((row) => row.granularity === 'fiveMinutely')!
  expect(five.times.at(-1)).toBe(Math.floor(NOW / (5 * MINUTE)) * 5 * MINUTE)
  expect(five.times.length).toBeGreaterThanOrEqual(24)
  expect([five.source, five.server_until, five.fetch_timestamp]).toEqual(['simulated', 0, 0])

  let writes = 0
  worker.db.history.hook('updating', () => void writes++)
  worker.db.history.hook('creating', () => void writes++)
  await worker.api.aggregate(NOW)
  expect(writes).toBe(0)
  await worker.api.aggregate(NOW + 5 * MINUTE)
  expect(writes).toBe(0)
  await worker.db.prices.put(prices(NOW + 5 * MINUTE, [BTC]))
  await worker.api.aggregate(NOW + 5 * MINUTE)
  expect(writes).toBeGreaterThan(0)
})

test('aggregation keeps the buckets that the server has given, and adds later buckets', async () => {
  await putAll()
  const before = (await worker.db.history.get(`${BTC}:fiveMinutely`))!
  await worker.api.aggregate(NOW)
  const after = (await worker.db.history.get(`${BTC}:fiveMinutely`))!
  const length = before.times.length
  expect(after.times.subarray(0, length)).toEqual(before.times)
  expect(after.prices.subarray(0, length)).toEqual(before.prices)
  expect(after.times.length).toBe(length + 1)
  expect(after.server_until).toBe(before.server_until)
})

test('an aggregation whose write fails rejects with the cause, and the next aggregation succeeds', async () => {
  await putTicks(BTC, NOW - HOUR, NOW)
  await putTicks(ETH, NOW - HOUR, NOW)
  await worker.db.prices.put(prices(NOW))
  const refused = new Set<string>()
  const refuse = (_: string, { coin_id }: HistoryRow): void => {
    refused.add(coin_id)
    throw new Dexie.QuotaExceededError('The disk is full.')
  }
  worker.db.history.hook('creating', refuse)
  await expect(worker.api.aggregate(NOW)).rejects.toMatchObject({
    name: 'QuotaExceededError',
    message: expect.stringContaining('The disk is full.'),
  })
  // The second coin would find no room either.
  expect(refused).toEqual(new Set([BTC]))
  worker.db.history.hook('creating').unsubscribe(refuse)
  await worker.api.aggregate(NOW)
  expect(await worker.db.history.count()).toBe(8)
})

test('a damaged record of one coin does not keep the aggregation from storing another coin’s levels', async () => {
  await putTicks(BTC, NOW - HOUR, NOW)
  await putTicks(ETH, NOW - HOUR, NOW)
  await worker.db.prices.put(prices(NOW))
  await putHistory(BTC, 'fiveMinutely', NOW - HOUR)
  await worker.db.history.update(`${BTC}:fiveMinutely`, { prices: new Float64Array(1) })
  await expect(worker.api.aggregate(NOW)).rejects.toThrow('The history record bitcoin:fiveMinutely is damaged.')
  expect(await worker.db.history.where('coin_id').equals(ETH).count()).toBe(4)
})
