import { expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { ensureIdentity } from '../../src/db/identity'
import { writeMeta } from '../../src/db/database'
import { writeTransaction } from '../../src/db/write-transaction'
import { writeServerLevels } from '../../src/db/history-rows'
import { BUCKET_MS, GRANULARITIES } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { freshenHistory } from '../../src/sync/history'
import { syncMarket, syncWidgets } from '../../src/sync/engine'
import { NOW, testContext } from '../db/support/entries'
import { wireWidget } from '../support/widget-row'
import { onDisk } from '../db/support/full-disk'
import { type Handler, json, SETTINGS, wiredEnv } from './support/wire'

const [BITCOIN, ETHEREUM] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const limits = { max_widgets: 5, max_checkpoints_per_widget: 1 }

test('on a full device a mutation is stored, sent and applied and prices are polled, because history is evicted', async () => {
  const context = testContext()
  const { db } = context
  const disk = onDisk(db)
  await ensureIdentity(context, new Uint8Array(24))
  await writeMeta(db, 'config', { config: SETTINGS as never, fetched_at: NOW })
  await writeMeta(db, 'tier_limits', { limits: { free: limits, premium: limits }, fetched_at: NOW })
  const levels = GRANULARITIES.map((granularity) => ({
    coin: BITCOIN,
    granularity,
    source: 'simulated' as const,
    series: {
      times: Float64Array.from({ length: 800 }, (_, i) => NOW - (799 - i) * BUCKET_MS[granularity]),
      prices: new Float64Array(800).fill(5),
    },
  }))
  await writeServerLevels(db, levels, NOW)
  const fillUp = () => {
    disk.limit = disk.used()
  }
  fillUp()

  const added = await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  expect(added.ok).toBe(true)
  const [entry] = await db.outbox.toArray()
  const made = wireWidget({ coin_a_id: BITCOIN, coin_b_id: ETHEREUM, created_by_op: entry!.op_id })
  const widgets: Handler = ({ init }) => {
    // Full again when the answer to the mutation arrives.
    if (init.method === 'POST') fillUp()
    return init.method === 'GET' ? json(200, [made]) : json(201, made)
  }
  const env = wiredEnv(db, {
    '/api/v1/widgets': widgets,
    '/api/v1/coins/supported': () => json(200, []),
    '/api/v3/simple/price': () => {
      fillUp()
      return json(200, { bitcoin: { usd: 5 }, ethereum: { usd: 2 } })
    },
  })
  // One after the other, so that neither makes room for the other.
  await syncWidgets(env, 'command')
  await syncMarket(env, 'command')

  expect(disk.refusals()).toBeGreaterThan(0)
  expect(await db.outbox.count()).toBe(0)
  expect((await db.widgets.toArray()).map(({ id }) => id)).toEqual([made.id])
  expect((await db.ids.toArray()).map(({ real }) => real)).toEqual([made.id])
  expect((await db.prices.get('usd'))!.prices[BITCOIN]!.usd).toBe(5)
  // The coarsest level is evicted last.
  expect((await db.history.get('bitcoin:daily'))!.times).toHaveLength(800)
})

test('history that was evicted on a full device is loaded again in full, five minutes after its last attempt', async () => {
  const context = testContext()
  const { db } = context
  const disk = onDisk(db)
  await ensureIdentity(context, new Uint8Array(24))
  await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  const step = BUCKET_MS.fiveMinutely
  const times = Float64Array.from({ length: 288 }, (_, i) => NOW - (287 - i) * step)
  const level = { granularity: 'fiveMinutely', source: 'simulated', series: { times, prices: times } } as const
  await writeServerLevels(
    db,
    [BITCOIN, ETHEREUM].map((coin) => ({ coin, ...level })),
    NOW,
  )
  for (const coin_id of [BITCOIN, ETHEREUM]) {
    await db.history_fetches.put({ coin_id, period: '1d', attempted_at: NOW, fetched_at: NOW, etag: '"1"' })
  }
  disk.limit = disk.used()
  await writeTransaction(db, [db.meta], () => writeMeta(db, 'config', { config: SETTINGS as never, fetched_at: NOW }))
  expect(disk.refusals()).toBeGreaterThan(0)
  expect(await db.history.count()).toBe(0)
  disk.limit = Infinity

  const etags: (string | null)[] = []
  const answer: Handler = ({ init }) => {
    etags.push(new Headers(init.headers).get('if-none-match'))
    const data = [...times].map((time) => [time, 5])
    return json(200, {
      coin_id: 'any',
      period: '1d',
      granularity: 'fiveMinutely',
      source: 'simulated',
      data,
      backfill: [],
    })
  }
  const env = wiredEnv(db, { '/api/v1/coins/bitcoin/historical': answer, '/api/v1/coins/ethereum/historical': answer })
  await freshenHistory(env)
  expect(env.asked).toEqual([])
  vi.mocked(env.now).mockReturnValue(NOW + 5 * 60_000)
  await freshenHistory(env)
  expect(etags).toContain(null)
  expect(etags.every((etag) => etag === null)).toBe(true)
  expect((await db.history.get('bitcoin:fiveMinutely'))!.times).toHaveLength(288)
})
