import { beforeEach, describe, expect, test } from 'vitest'
import { type LocalDatabase, readMeta } from '../../src/db/database'
import { noteAnnounced } from '../../src/db/held-revisions'
import { clearCache } from '../../src/db/local-data'
import { readWork } from '../../src/db/queries/waiting'
import { type DailyMatrix, encodeDailyMatrix, utcDayOf } from '../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { closesDueAt, syncDailyCloses } from '../../src/sync/daily-closes'
import { NOW, widgetNumber } from '../db/support/entries'
import { userContext } from '../db/support/people'
import { type Handler, json, wiredEnv } from './support/wire'
import { widgetRow } from '../support/widget-row'

const COINS = [widgetNumber(0).coin_a_id, widgetNumber(0).coin_b_id]
const TODAY = utcDayOf(NOW)

const matrixOf = (values: Partial<DailyMatrix> = {}): ArrayBuffer => {
  const { coins = COINS, days = 70 } = values
  return encodeDailyMatrix({
    source: 'simulated',
    firstDay: TODAY - days,
    days,
    ranked: 0,
    coins,
    prices: new Float32Array(coins.length * days).fill(2),
    ...values,
  })
}

const bytes = (body: ArrayBuffer, headers: Record<string, string> = {}) =>
  new Response(body, { status: 200, headers: { 'content-type': 'application/octet-stream', etag: '"1"', ...headers } })

describe('daily closes on the device', () => {
  let db: LocalDatabase
  let now: number
  let answer: Handler
  let asked: number
  let sync: () => Promise<void>
  let dueAt: () => Promise<number | null>

  beforeEach(async () => {
    const context = await userContext(false, () => now)
    db = context.db
    now = NOW
    asked = 0
    answer = () => bytes(matrixOf())
    const session = (await db.session.get('current'))!
    await db.widgets.put({ ...widgetRow({ owner: session.owner }), coin_a_id: COINS[0]!, coin_b_id: COINS[1]! })
    const wired = wiredEnv(db, {
      '/api/v1/market/daily': (request) => {
        asked += 1
        return answer(request)
      },
    })
    const env = { ...wired, now: () => now }
    sync = () => syncDailyCloses(env)
    dueAt = () => closesDueAt(env)
  })

  const stored = () => db.daily_closes.get('usd')

  test('the matrix of daily closes is loaded where none is stored, and asked for again once the next day has ended', async () => {
    await sync()
    expect(await stored()).toMatchObject({ source: 'simulated', etag: '"1"', last_day: TODAY - 1, fetched_at: NOW })
    await sync()
    now += 2 * MINUTE
    await sync()
    expect(asked).toBe(1)
    now = (TODAY + 1) * DAY + 14 * MINUTE
    await sync()
    expect(asked).toBe(1)
    now += MINUTE
    answer = (request) => {
      expect(new Headers(request.init.headers).get('if-none-match')).toBe('"1"')
      return bytes(matrixOf({ firstDay: TODAY - 69 }), { etag: '"2"' })
    }
    await sync()
    expect(asked).toBe(2)
    expect(await stored()).toMatchObject({ etag: '"2"', last_day: TODAY })
  })

  test('an unchanged matrix of daily closes stays, and is asked for no sooner than twenty minutes later', async () => {
    await sync()
    const before = await stored()
    now = (TODAY + 1) * DAY + HOUR
    answer = () => new Response(null, { status: 304 })
    await sync()
    expect(await stored()).toEqual({ ...before, fetched_at: now })
    now += 19 * MINUTE
    await sync()
    expect(asked).toBe(2)
    now += MINUTE
    await sync()
    expect(asked).toBe(3)
  })

  test('closes of own coins that the server lacks are asked for after 25 s, at times that double, and hourly in the end', async () => {
    answer = () => bytes(matrixOf({ coins: [COINS[0]!, 'other' as CoinId] }))
    await sync()
    const times: number[] = []
    for (let question = 0; question < 11; question++) {
      const at = (await dueAt())!
      now = at - 1
      await sync()
      now = at
      await sync()
      times.push((now - NOW) / 1000)
    }
    expect(asked).toBe(1 + times.length)
    expect(times.slice(0, 6)).toEqual([25, 50, 100, 200, 400, 800])
    expect(times.slice(-2)).toEqual([10_000, 13_600])
    answer = () => bytes(matrixOf())
    now += HOUR
    await sync()
    expect(await dueAt()).toBeNull()
  })

  test('closes that the stream tells of are asked for at once, and no further time where the answer brings none', async () => {
    answer = () => bytes(matrixOf({ coins: [COINS[0]!, 'other' as CoinId] }))
    await sync()
    now += 6_000
    await noteAnnounced(db, 'closes', '1')
    expect((await readWork(db)).wanted).toContain('closes 1')
    answer = () => json(503, { detail: 'Not yet.', error_code: 'MARKET_DATA_UNAVAILABLE' })
    await sync()
    expect([asked, (await readWork(db)).wanted]).toEqual([2, null])
    now += 6_000
    await noteAnnounced(db, 'closes', '2')
    answer = () => bytes(matrixOf(), { etag: '"2"' })
    await sync()
    expect([asked, (await stored())?.etag, await dueAt()]).toEqual([3, '"2"', null])
  })

  test('an added coin whose closes the stored matrix lacks is asked for at once', async () => {
    await sync()
    now += MINUTE
    await sync()
    expect(asked).toBe(1)
    const widget = widgetRow({ owner: (await db.session.get('current'))!.owner })
    await db.widgets.put({
      ...widget,
      id: crypto.randomUUID() as typeof widget.id,
      coin_a_id: 'other' as CoinId,
      coin_b_id: COINS[1]!,
    })
    await sync()
    expect(asked).toBe(2)
  })

  test('while the newest close of an own coin is missing, daily closes are asked for every hour', async () => {
    const prices = new Float32Array(COINS.length * 70).fill(2)
    prices[69] = NaN
    answer = () => bytes(matrixOf({ prices }))
    await sync()
    answer = () => bytes(matrixOf())
    now += HOUR
    await sync()
    now += HOUR
    await sync()
    expect(asked).toBe(2)
  })

  test('cleared with the cache, daily closes are loaded anew at once', async () => {
    await sync()
    await clearCache(db)
    expect(await stored()).toBeUndefined()
    await sync()
    expect([asked, (await stored())?.last_day]).toEqual([2, TODAY - 1])
  })

  test('while many of the best coins have no past, daily closes are asked for every hour, and a few new ones do not matter', async () => {
    const best = ['c1', 'c2', 'c3', 'c4', 'c5'] as CoinId[]
    const coins = [...best, ...COINS]
    const withPast = (count: number) => {
      const prices = new Float32Array(coins.length * 70).fill(2)
      prices.fill(NaN, 0, (best.length - count) * 70)
      return bytes(matrixOf({ coins, ranked: best.length, prices }))
    }
    answer = () => withPast(3)
    await sync()
    answer = () => withPast(4)
    now += HOUR
    await sync()
    expect(asked).toBe(2)
    now += HOUR
    await sync()
    expect(asked).toBe(2)
  })

  test('a damaged matrix, a page of the network and a failing server leave the stored daily closes, and say why', async () => {
    await sync()
    const before = await stored()
    const answers: [() => Response, string][] = [
      [() => bytes(matrixOf().slice(0, -4)), 'The answer was not understood.'],
      [
        () => new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }),
        'The answer was not understood.',
      ],
      [() => json(503, { detail: 'Not yet.', error_code: 'MARKET_DATA_UNAVAILABLE' }), 'Not yet.'],
    ]
    for (const [given, words] of answers) {
      answer = given
      now += DAY
      await sync()
      expect(await stored()).toEqual(before)
      expect((await readMeta(db, 'sync_state'))?.problems.daily_closes).toBe(`Failed to load daily closes: ${words}`)
    }
    answer = () => bytes(matrixOf())
    now += DAY
    await sync()
    expect((await readMeta(db, 'sync_state'))?.problems.daily_closes).toBeUndefined()
  })

  test('a server without daily closes is asked again after a day, and no problem is shown', async () => {
    answer = () => json(404, { detail: 'Not found', error_code: 'NO_SUCH_ROUTE' })
    await sync()
    now += DAY - 1
    await sync()
    expect(asked).toBe(1)
    expect((await readMeta(db, 'sync_state'))?.problems.daily_closes).toBeUndefined()
    now += 1
    await sync()
    expect(asked).toBe(2)
  })

  test('daily closes that do not fit on the device displace nothing', async () => {
    db.daily_closes.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await db.history.put({
      id: 'x:daily',
      coin_id: 'x' as CoinId,
      granularity: 'daily',
      source: 'simulated',
      times: Float64Array.of(1),
      prices: Float64Array.of(1),
      server_until: 1,
      fetch_timestamp: 1,
    })
    await sync()
    expect(await db.history.count()).toBe(1)
    expect((await readMeta(db, 'sync_state'))?.problems.daily_closes).toContain('Storage on this device is full.')
  })
})
