import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { createMarket, type RunningMarket } from '../../server/services/market/market'
import { BUCKET_MS, DAY, HOUR } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import { freshDatabase, type TestDatabase } from './support/test-database'

/** A script that serves real prices in CoinGecko's wire format: `node $MARKET_REPLAY --port N`. */
const script = process.env['MARKET_REPLAY']
if (script === undefined)
  console.warn('SKIPPED: market data on real prices, since MARKET_REPLAY names no replay server')

const FAULTS = ['429', '500', 'html', 'truncated', 'hang', 'null-prices'] as const
/** How far back the replayed hours reach; beyond them the replay gives days. */
const HOURS = 40 * DAY

describe.skipIf(script === undefined)('replayed real prices', () => {
  let replay: ChildProcess
  let base: string
  let database: TestDatabase
  let market: RunningMarket
  /** The present, which a test may move ahead so that what is stored grows old. */
  let ahead = 0
  const clock = () => Date.now() + ahead

  beforeAll(async () => {
    const port = await freePort()
    replay = spawn(process.execPath, [script!, '--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(replay.stdout!, 'data')
    base = `http://127.0.0.1:${port}`
    database = await freshDatabase()
    const env = loadEnv({ MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: `${base}/api/v3`, PRICE_POLL_SECONDS: '1' })
    market = await createMarket({ env, database, clock })
    await market.start()
  })
  afterAll(async () => {
    await market?.stop()
    await database?.close()
    replay?.kill()
  })

  const control = async (said: object) => {
    await fetch(`${base}/__control`, { method: 'POST', body: JSON.stringify(said) })
  }
  const seen = async () => ((await (await fetch(`${base}/__control`)).json()) as { seen: { url: string }[] }).seen
  const run = (name: string) => market.jobs.find((job) => job.name === name)!.run(new AbortController().signal)
  const id = (name: string) => name as CoinId

  test('fifty simultaneous requests for one history of replayed real prices make one provider request', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => market.history(id('chainlink'), '1m')))
    expect((await seen()).filter(({ url }) => url.includes('/chainlink/'))).toHaveLength(1)
    for (const { answer } of answers) expect(answer.data.length).toBeGreaterThan(790)
  })

  test.each(['bitcoin', 'ethereum', 'pepe', 'bonk'])(
    '%s history of replayed real prices covers the span of every period and ends with the latest price',
    async (name) => {
      const spot = (await market.prices([name])).get(name)!
      for (const period of PERIODS) {
        const { granularity, duration, initialAverage } = PERIOD_RULES[period]
        const { answer, complete } = await market.history(id(name), period)
        expect(complete).toBe(true)
        const levels = [...answer.backfill.toReversed(), { granularity, data: answer.data }]
        const times = levels.flatMap(({ data }) => data.map(([time]) => time))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        const wanted = clock() - Math.min(duration + initialAverage, 365 * DAY)
        expect(times[0]!).toBeLessThan(wanted + BUCKET_MS[levels[0]!.granularity] + HOUR)
        // The real data has gaps of an hour at most, and levels join within one bucket of the coarser.
        for (const { granularity, data } of levels) {
          const gaps = data.slice(1).map(([time], i) => time - data[i]![0])
          expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(3 * BUCKET_MS[granularity])
        }
        if (period === '3m') expect(answer.data[0]![0]).toBeLessThan(clock() - HOURS)
        expect(answer.data.at(-1)![1]).toBe(spot.usd)
        expect(clock() - answer.data.at(-1)![0]).toBeLessThan(BUCKET_MS[granularity])
        for (const [, usd] of levels.flatMap(({ data }) => data)) expect(usd).toBeGreaterThan(0)
      }
    },
  )

  test.each(FAULTS)(
    'a replay server fault %s loses no price, coin or stored history, and the server recovers afterwards',
    async (fault) => {
      await market.prices(['bitcoin', 'ethereum'])
      const before = await Promise.all(PERIODS.map((period) => market.history(id('ethereum'), period)))
      const prices = await market.prices(['bitcoin', 'ethereum'])
      const coins = await market.coins()
      ahead += 5 * DAY
      // As many as are asked for: whatever comes, it goes wrong.
      await control({ fault, count: 1000 })
      await run('market-coins')
      await run('market-prices')
      const after = await Promise.all(PERIODS.map((period) => market.history(id('ethereum'), period)))
      expect(await market.prices(['bitcoin', 'ethereum'])).toEqual(prices)
      expect((await market.coins()).length).toBe(coins.length)
      after.forEach(({ answer, complete }, i) => {
        expect(complete).toBe(false)
        const last = (history: typeof answer) =>
          Math.max(...[history, ...history.backfill].flatMap(({ data }) => data.map(([time]) => time)))
        // However old it is.
        expect(last(answer)).toBeGreaterThanOrEqual(last(before[i]!.answer) - BUCKET_MS[answer.granularity])
      })
      await control({ fault: 'none' })
      ahead -= 5 * DAY
      await database.pool.query('UPDATE market_calls SET paused_until = 0')
      await run('market-prices')
      expect((await market.history(id('ethereum'), '1m')).complete).toBe(true)
    },
    60_000,
  )

  test('a pinned price of the replay server is the latest price after one poll, and all histories end with it', async () => {
    await market.prices(['bitcoin'])
    await control({ prices: { bitcoin: 123_456.5 } })
    ahead += 2_000
    await run('market-prices')
    expect((await market.prices(['bitcoin'])).get('bitcoin')!.usd).toBe(123_456.5)
    for (const period of PERIODS) {
      expect((await market.history(id('bitcoin'), period)).answer.data.at(-1)![1]).toBe(123_456.5)
    }
    await control({ prices: { bitcoin: null } })
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
