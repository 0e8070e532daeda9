import { describe, expect, test, vi } from 'vitest'
import { clearCache } from '../../src/db/local-data'
import { LocalDatabase, writeMeta } from '../../src/db/database'
import { readHistory, writeServerLevels } from '../../src/db/history-rows'
import { writePrices } from '../../src/db/write-prices'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import type { Period } from '../../src/domain/chart-periods'
import { createEngine } from '../../src/sync/engine'
import type { EngineEnv } from '../../src/sync/env'
import { stalePeriod } from '../../src/sync/history'
import * as history from '../../src/sync/history'
import { NOW, testContext } from '../db/support/entries'
import { onDisk } from '../db/support/full-disk'
import { historyAnswer, type Point, unchangedWithEtag } from './support/history-answer'
import { fakeLocks } from './support/fake-locks'
import { type Handler, json, SETTINGS, wiredEnv } from './support/wire'

/** Rejects with the failure's sentence. */
async function fetchHistory(env: EngineEnv, id: CoinId, period: Period): Promise<void> {
  const result = await history.fetchHistory(env, { id, period })
  if (!result.ok) throw new Error(result.message)
}

const BITCOIN = 'bitcoin' as CoinId
const PATH = '/api/v1/coins/bitcoin/historical'
const at = (env: ReturnType<typeof wiredEnv>, time: number) => vi.mocked(env.now).mockReturnValue(time)
const fiveMinutely = async (db: LocalDatabase) => {
  const row = await readHistory(db, BITCOIN, 'fiveMinutely')
  return row && [...row.times].map((time, i) => [time - NOW, row.prices[i]])
}

test('a history point that cannot be read costs no other point', async () => {
  const { db } = testContext()
  const answer = historyAnswer([[NOW - 2 * MINUTE, 'x' as never], [NOW - MINUTE, 5], [NOW] as never])
  await fetchHistory(wiredEnv(db, { [PATH]: () => json(200, answer) }), BITCOIN, '1d')
  expect(await fiveMinutely(db)).toEqual([[-MINUTE, 5]])
})

test('a 304 leaves the stored history as is, and counts as a fetch', async () => {
  const { db } = testContext()
  const env = wiredEnv(db, { [PATH]: unchangedWithEtag })
  await fetchHistory(env, BITCOIN, '1d')
  at(env, NOW + HOUR)
  await fetchHistory(env, BITCOIN, '1d')
  expect(await fiveMinutely(db)).toEqual([[-MINUTE, 5]])
  expect((await db.history_fetches.get([BITCOIN, '1d']))!.fetched_at).toBe(NOW + HOUR)
})

test.each<[string, (db: LocalDatabase) => Promise<unknown>]>([
  ['gone', (db) => db.history.clear()],
  ['damaged', (db) => db.history.toCollection().modify({ prices: new Float64Array(9) })],
])('history that is %s on the device is fetched in full, not answered as unchanged', async (_, spoil) => {
  const { db } = testContext()
  const env = wiredEnv(db, { [PATH]: unchangedWithEtag })
  await fetchHistory(env, BITCOIN, '1d')
  await spoil(db)
  await fetchHistory(env, BITCOIN, '1d')
  expect(await fiveMinutely(db)).toEqual([[-MINUTE, 5]])
})

test('a history fetch by a clock that was two hours ahead does not pass for newer than one by the right clock', async () => {
  const { db } = testContext()
  const env = wiredEnv(db, { [PATH]: unchangedWithEtag })
  at(env, NOW + 2 * HOUR)
  await fetchHistory(env, BITCOIN, '1d')
  at(env, NOW)
  await fetchHistory(env, BITCOIN, '1d')
  expect((await db.history_fetches.get([BITCOIN, '1d']))!.fetched_at).toBe(NOW)
})

test('a history fetch that fails clears the fetch time that a clock two hours ahead had written', async () => {
  const { db } = testContext()
  const answers = [json(200, historyAnswer([[NOW, 5]])), json(500, {})]
  const env = wiredEnv(db, { [PATH]: () => answers.shift()! })
  at(env, NOW + 2 * HOUR)
  await fetchHistory(env, BITCOIN, '1d')
  at(env, NOW)
  await expect(fetchHistory(env, BITCOIN, '1d')).rejects.toThrow('Error fetching history for bitcoin (1d)')
  expect((await db.history_fetches.get([BITCOIN, '1d']))!.fetched_at).toBeNull()
})

test('history points in any order, and twice, are stored in order, and once', async () => {
  const { db } = testContext()
  const hours = [0, 1, 0, 1, 4]
  const data = [3, 1, 4, 2, 0].map((price, n): Point => [NOW - hours[n]! * HOUR, price])
  await fetchHistory(wiredEnv(db, { [PATH]: () => json(200, historyAnswer(data)) }), BITCOIN, '1d')
  expect((await fiveMinutely(db))!.flat()).toEqual([-4 * HOUR, 0, -HOUR, 2, 0, 4])
})

describe('history fetch that fails', () => {
  test('a history fetch that nothing answers says so in the words of the app, and names no coin', async () => {
    const { db } = testContext()
    const env = wiredEnv(db, { [PATH]: () => Promise.reject(new TypeError('Failed to fetch')) })
    await expect(fetchHistory(env, BITCOIN, '7d')).rejects.toThrow(
      /^The server could not be reached\. Check your connection and try again\.$/,
    )
  })

  const failing: [string, Handler, string][] = [
    ['an unknown coin', () => json(404, { detail: 'No such coin.', error_code: 'NOT_FOUND' }), 'No such coin.'],
    ['too many calls', () => json(429, { detail: 'Slow down.', error_code: 'RATE_LIMITED' }), 'Slow down.'],
    ['a broken server', () => new Response('<h1>oops</h1>', { status: 502 }), 'HTTP error! Status: 502'],
    ['a captive portal', () => new Response('<h1>Log in</h1>', { status: 200 }), 'The answer was not understood.'],
    ['half an answer', () => new Response('{"data":[[1', { status: 200 }), 'The answer was not understood.'],
    ['numbers that are none', () => new Response('{"data":[[1,NaN]]}'), 'The answer was not understood.'],
  ]
  test.each(failing)(
    'a history fetch that fails says why in the words of the specification, and keeps what is stored: %s',
    async (_, handler, detail) => {
      const { db } = testContext()
      const series = { times: Float64Array.of(NOW), prices: Float64Array.of(5) }
      const stored = { coin: BITCOIN, granularity: 'fiveMinutely', source: 'simulated', series } as const
      await writeServerLevels(db, [stored], NOW)
      const env = wiredEnv(db, { [PATH]: handler })
      await expect(fetchHistory(env, BITCOIN, '7d')).rejects.toThrow(
        `Error fetching history for bitcoin (7d): ${detail}`,
      )
      expect(await fiveMinutely(db)).toEqual([[0, 5]])
    },
  )

  test('a history fetch from a server that hangs fails after 20 s and says so', async () => {
    const { db } = testContext()
    const limits: [number, () => void][] = []
    const env = {
      ...wiredEnv(db, {}),
      timer: (ms: number, run: () => void) => {
        limits.push([ms, run])
        return () => undefined
      },
      fetch: (_: string, { signal }: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason as Error))
        }),
    }
    const fetching = fetchHistory(env, BITCOIN, '1d')
    const refused = expect(fetching).rejects.toThrow(
      /^The server could not be reached\. Check your connection and try again\.$/,
    )
    await vi.waitFor(() => expect(limits).toHaveLength(1))
    expect(limits[0]![0]).toBe(20_000)
    limits[0]![1]()
    await refused
  })

  test('a history fetch on a full device fails, says so, and writes nothing by half', async () => {
    const { db } = testContext()
    const disk = onDisk(db)
    const env = wiredEnv(db, { [PATH]: unchangedWithEtag })
    await db.open()
    disk.limit = 0
    await expect(fetchHistory(env, BITCOIN, '1d')).rejects.toThrow(
      'Error fetching history for bitcoin (1d): Storage on this device is full. Free some space and try again.',
    )
    expect([await db.history.count(), await db.history_fetches.count()]).toEqual([0, 0])
  })
})

/** Two tabs of one browser; requests are answered by hand. */
function twoTabs() {
  const { db } = testContext()
  const locks = fakeLocks()
  const answers: ((response: Response) => void)[] = []
  let time = NOW
  const tab = (name: string) => ({
    ...wiredEnv(name === 'one' ? db : new LocalDatabase(db.name), {
      [PATH]: () => new Promise<Response>((resolve) => answers.push(resolve)),
    }),
    locks: locks.forContext(name),
    now: () => time++,
  })
  return { db, answers, tabs: [tab('one'), tab('two')] as const }
}

test('two tabs that ask for the same history at once fetch the history once', async () => {
  const { db, answers, tabs } = twoTabs()
  const both = tabs.map((env) => fetchHistory(env, BITCOIN, '1d'))
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  answers[0]!(json(200, historyAnswer([[NOW, 5]])))
  await Promise.all(both)
  expect(answers).toHaveLength(1)
  expect(await fiveMinutely(db)).toEqual([[0, 5]])
})

test('the chart and the staleness check of one tab that ask for the same history at once fetch the history once', async () => {
  const { answers, tabs } = twoTabs()
  const engine = createEngine(tabs[0])
  const both = [
    engine.call('historical', { id: BITCOIN, period: '1d' }),
    engine.call('historical', { id: BITCOIN, period: '1d' }),
    fetchHistory(tabs[0], BITCOIN, '1d'),
  ]
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  answers[0]!(json(200, historyAnswer([[NOW, 5]])))
  await Promise.all(both)
  expect(answers).toHaveLength(1)
})

test('a tab fetches the history after all when another tab’s fetch of the same history has failed', async () => {
  const { db, answers, tabs } = twoTabs()
  const [first, second] = tabs.map((env) => fetchHistory(env, BITCOIN, '1d'))
  const refused = expect(first).rejects.toThrow('HTTP error! Status: 503')
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  answers[0]!(new Response('', { status: 503 }))
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]!(json(200, historyAnswer([[NOW, 5]])))
  await Promise.all([refused, second])
  expect(await fiveMinutely(db)).toEqual([[0, 5]])
})

test('history fetches for two periods do not wait for each other', async () => {
  const { answers, tabs } = twoTabs()
  const both = [fetchHistory(tabs[0], BITCOIN, '1d'), fetchHistory(tabs[1], BITCOIN, '7d')]
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  for (const answer of answers) answer(json(200, historyAnswer([[NOW, 5]])))
  await Promise.all(both)
})

const answer = (source: string) =>
  json(
    200,
    {
      data: [[NOW - 600_000, 5]],
      granularity: 'fiveMinutely',
      source,
      backfill: [{ granularity: 'hourly', data: [[NOW - 86_400_000, 4]] }],
    },
    { etag: '"h"' },
  )

test('price history is stored with its backfill, and is whole again after the cache was cleared', async () => {
  const { db } = testContext()
  const env = wiredEnv(db, {
    [PATH]: ({ init }) =>
      'If-None-Match' in (init.headers as object) ? new Response(null, { status: 304 }) : answer('simulated'),
  })
  await fetchHistory(env, BITCOIN, '1d')
  await fetchHistory(env, BITCOIN, '1d')
  expect([...(await readHistory(db, BITCOIN, 'hourly'))!.prices]).toEqual([4])
  await clearCache(db)
  await fetchHistory(env, BITCOIN, '1d')
  expect([...(await readHistory(db, BITCOIN, 'fiveMinutely'))!.prices]).toEqual([5])
})

test('price history of a new source deletes the prices and ticks of the source before', async () => {
  const { db } = testContext()
  await writeMeta(db, 'config', { config: SETTINGS as never, fetched_at: NOW - 1 })
  await writePrices(db, 'simulated', new Map([[BITCOIN, { usd: 1, providerTime: NOW }]]), NOW)
  const now = { ...SETTINGS, market_data: { ...SETTINGS.market_data, source: 'coingecko' } }
  const limits = { max_widgets: 5, max_checkpoints_per_widget: 1 }
  const env = wiredEnv(db, {
    [PATH]: () => answer('coingecko'),
    '/api/v1/config': () => json(200, now),
    '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
  })
  await fetchHistory(env, BITCOIN, '1d')
  expect(await db.prices.count()).toBe(0)
  expect(await db.ticks.count()).toBe(0)
  expect((await readHistory(db, BITCOIN, 'fiveMinutely'))!.source).toBe('coingecko')
})

test.each([
  [null, '1d'],
  [0, null],
  [15 * MINUTE, null],
  [15 * MINUTE + 1, '1d'],
  [DAY, '1d'],
  [DAY + 1, '7d'],
  [7 * DAY, '7d'],
  [7 * DAY + 1, '3m'],
  [90 * DAY, '3m'],
  [90 * DAY + 1, '1y'],
  [-HOUR, '1d'],
])('a newest history point of age %s asks for %s', (age, period) => {
  expect(stalePeriod(age === null ? null : NOW - age, NOW)).toBe(period)
})
