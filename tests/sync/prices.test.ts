import { expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { ensureIdentity } from '../../src/db/identity'
import { readMeta, writeMeta } from '../../src/db/database'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import type { WidgetRow } from '../../src/db/rows'
import { widgetRow } from '../support/widget-row'
import { readNotices } from '../../src/db/notices'
import { readClockAhead } from '../../src/db/server-clock'
import type { CoinId } from '../../src/domain/ids'
import { LONGEST_WAIT } from '../../src/sync/pacing'
import { POLL_INTERVAL } from '../../src/domain/live-prices'
import { acceptedPrices, nextPoll, syncPrices } from '../../src/sync/prices'
import { NOW, testContext } from '../db/support/entries'
import { json, SETTINGS, wiredEnv } from './support/wire'
import { DAY, HOUR } from '../../src/domain/granularity'
import { AS_OF_HEADER } from '../../src/contract/market'
import { applyEvent } from '../../src/sync/stream/apply-event'
import { priceRow } from '../support/price-row'

const [BITCOIN, ETHEREUM] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]

async function boardWithPair() {
  const context = testContext()
  await ensureIdentity(context, new Uint8Array(24))
  await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  await writeMeta(context.db, 'config', { config: SETTINGS as never, fetched_at: NOW })
  return context
}

test('the price poll asks for the coins of pairs that still wait in the outbox', async () => {
  const { db } = await boardWithPair()
  const env = wiredEnv(db, {
    '/api/v3/simple/price': () => json(200, { bitcoin: { usd: 5 }, ethereum: { usd: 'x' } }),
  })
  await syncPrices(env)
  expect(env.asked).toEqual([
    'GET /api/v3/simple/price?ids=bitcoin%2Cethereum&vs_currencies=usd&include_last_updated_at=true',
  ])
  expect((await db.prices.get('usd'))!.prices).toEqual({
    bitcoin: { usd: 5, first_seen_at: NOW, provider_time: NOW },
  })
})

test('five pairs added within a minute cost one round of all coins, and one request each for their new coins alone', async () => {
  const context = await boardWithPair()
  const { db } = context
  const tier = { max_widgets: 10, max_checkpoints_per_widget: 1 }
  await writeMeta(db, 'tier_limits', { limits: { free: tier, premium: tier }, fetched_at: NOW })
  const asked: string[][] = []
  const env = wiredEnv(db, {
    '/api/v3/simple/price': ({ url }) => {
      const ids = url.searchParams.get('ids')!.split(',')
      asked.push(ids)
      return json(200, Object.fromEntries(ids.map((id) => [id, { usd: 5 }])))
    },
  })
  await syncPrices(env)
  const added = ['solana', 'cardano', 'dogecoin', 'litecoin', 'tether']
  for (const [index, coin] of added.entries()) {
    vi.mocked(env.now).mockReturnValue(NOW + (index + 1) * 10_000)
    expect(await addWidget(context, { coinA: BITCOIN, coinB: coin as CoinId })).toMatchObject({ ok: true })
    await syncPrices(env)
    await syncPrices(env)
  }
  expect(asked).toEqual([['bitcoin', 'ethereum'], ...added.map((coin) => [coin])])
  vi.mocked(env.now).mockReturnValue(NOW + POLL_INTERVAL)
  await syncPrices(env)
  expect(asked.at(-1)!.toSorted()).toEqual(['bitcoin', 'ethereum', ...added].toSorted())
})

test('prices that a shared cache answered are older by the time for which it kept them, and the device’s clock is not ahead', async () => {
  const { db } = await boardWithPair()
  const keptFor = 40
  const env = wiredEnv(db, {
    '/api/v3/simple/price': ({ init }) => {
      expect(init.cache).toBe('no-cache')
      const date = new Date(NOW - keptFor * 1000).toUTCString()
      const prices = { bitcoin: { usd: 5, last_updated_at: (NOW - 60_000) / 1000 } }
      return json(200, prices, { date, age: String(keptFor) })
    },
  })
  await syncPrices(env)
  expect((await db.prices.get('usd'))!.prices[BITCOIN]!.provider_time).toBe(NOW - 60_000)
  expect(await readClockAhead(db)).toBe(0)
})

test('a poll’s late answer leaves the later prices of the stream, of a server set back an hour it brings all of its own', async () => {
  const { db } = await boardWithPair()
  const owner = (await db.session.get('current'))!.owner
  const usd = async () => Object.values((await db.prices.get('usd'))!.prices).map((price) => price.usd)
  const answer = (at: number) =>
    json(
      200,
      { bitcoin: { usd: 10 }, ethereum: { usd: 2 } },
      { date: new Date(at).toUTCString(), [AS_OF_HEADER]: String(at) },
    )
  const late = wiredEnv(db, {
    '/api/v3/simple/price': async () => {
      vi.mocked(late.now).mockReturnValue(NOW + 6_000)
      const data = {
        source: 'simulated',
        now: NOW + 2_000,
        as_of: NOW + 1_000,
        prices: { bitcoin: [11.5, NOW, null] },
      } as const
      await applyEvent(late, { owner, coins: [BITCOIN, ETHEREUM] }, { name: 'prices', data })
      return answer(NOW)
    },
  })
  await syncPrices(late)
  expect(await usd()).toEqual([11.5, 2])
  const setBack = wiredEnv(db, { '/api/v3/simple/price': () => answer(NOW - HOUR) })
  vi.mocked(setBack.now).mockReturnValue(NOW + 2 * POLL_INTERVAL)
  await syncPrices(setBack)
  expect(await usd()).toEqual([10, 2])
})

test.each<[string, Partial<WidgetRow>, boolean]>([
  ['beyond an armed threshold', { high_threshold: 2 }, true],
  ['back from a disarmed one', { high_threshold: 3, high_threshold_active: false }, true],
  ['between the thresholds', { high_threshold: 3, low_threshold: 2 }, false],
  ['beyond the threshold of a pair whose alerts are off', { high_threshold: 2, notifications_enabled: false }, false],
])(
  'polled prices %s ask for a pull where our server must have judged otherwise',
  async (_where, change, needs_pull) => {
    const { db } = await boardWithPair()
    const owner = (await db.session.get('current'))!.owner
    const pair = { owner, coin_a_id: BITCOIN, coin_b_id: ETHEREUM, notifications_enabled: true }
    await db.widgets.put(widgetRow({ ...pair, ...change }))
    await syncPrices(
      wiredEnv(db, { '/api/v3/simple/price': () => json(200, { bitcoin: { usd: 5 }, ethereum: { usd: 2 } }) }),
    )
    expect((await readOwnerSyncState(db, owner)).needs_pull).toBe(needs_pull)
  },
)

test('price polls asked for at once cost one request, and the prices are stored', async () => {
  const { db } = await boardWithPair()
  const env = wiredEnv(db, {
    '/api/v3/simple/price': () => json(200, { bitcoin: { usd: 5 }, ethereum: { usd: null } }),
  })
  await Promise.all([syncPrices(env), syncPrices(env), syncPrices(env)])
  expect(env.asked).toHaveLength(1)
  expect((await db.prices.get('usd'))!.prices).toEqual({
    bitcoin: { usd: 5, first_seen_at: NOW, provider_time: NOW },
  })
})

test('price polls that keep failing leave one notice, and none while there is no network', async () => {
  const { db } = await boardWithPair()
  await syncPrices(wiredEnv(db, {}))
  expect(await readNotices(db)).toEqual([])
  const env = wiredEnv(db, { '/api/v3/simple/price': () => json(404, { detail: 'Gone.' }) })
  for (const minutes of [2, 4, 6]) {
    vi.mocked(env.now).mockReturnValue(NOW + minutes * 60_000)
    await syncPrices(env)
  }
  expect(env.asked).toHaveLength(3)
  expect((await readNotices(db)).map(({ message }) => message)).toEqual(['Failed to fetch latest prices. Error: Gone.'])
  expect((await readMeta(db, 'sync_state'))!.problem).toBe('Failed to fetch latest prices. Error: Gone.')
})

test('the problem of failing prices is over once there is no pair left to ask for', async () => {
  const { db } = await boardWithPair()
  const env = wiredEnv(db, { '/api/v3/simple/price': () => json(404, { detail: 'Gone.' }) })
  await syncPrices(env)
  expect((await readMeta(db, 'sync_state'))!.problems.prices).toBeDefined()
  await db.outbox.clear()
  await syncPrices(env)
  expect((await readMeta(db, 'sync_state'))!.problems.prices).toBeUndefined()
  expect(env.asked).toHaveLength(1)
})

test.each([
  [30, 30_000],
  [3_600, LONGEST_WAIT],
])('after a Retry-After of %i s of the price source prices are asked for again in %i ms', async (seconds, wait) => {
  const { db } = await boardWithPair()
  const busy = () => json(429, { detail: 'Slow down.', error_code: 'RATE_LIMITED' }, { 'retry-after': String(seconds) })
  await syncPrices(wiredEnv(db, { '/api/v3/simple/price': busy }))
  expect((await readMeta(db, 'price_poll'))!.not_before).toBe(NOW + wait)
})

const from = (source: string) => () => json(200, { bitcoin: { usd: 5 } }, { 'x-market-source': source })
const limits = { max_widgets: 5, max_checkpoints_per_widget: 1 }
const settings = (source: string) => ({
  '/api/v1/config': () => json(200, { ...SETTINGS, market_data: { ...SETTINGS.market_data, source } }),
  '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
})

test('prices of a source that the settings do not name are stored once the settings were loaded anew', async () => {
  const { db } = await boardWithPair()
  const env = wiredEnv(db, { '/api/v3/simple/price': from('coingecko'), ...settings('coingecko') })
  await syncPrices(env)
  expect(await db.prices.get('usd')).toMatchObject({ source: 'coingecko', prices: { bitcoin: { usd: 5 } } })
  expect((await readMeta(db, 'config'))!.config.market_data.source).toBe('coingecko')
})

test('prices of a source that freshly loaded settings do not name either are left out', async () => {
  const { db } = await boardWithPair()
  await syncPrices(wiredEnv(db, { '/api/v3/simple/price': from('coingecko'), ...settings('simulated') }))
  expect(await db.prices.count()).toBe(0)
})

const pricesDueAt = (...given: Parameters<typeof nextPoll>): number | null => nextPoll(...given)?.at ?? null

const [bitcoin, ethereum] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const price = priceRow({ first_seen_at: NOW })
const poll = { attempted_at: NOW, not_before: 0, asked: [bitcoin] }

test('prices are due every 75 s, and at once for a coin that never had a price', () => {
  expect(pricesDueAt([], {}, undefined, NOW)).toBeNull()
  expect(pricesDueAt([bitcoin], {}, undefined, NOW)).toBe(NOW)
  expect(pricesDueAt([bitcoin], { [bitcoin]: price }, poll, NOW + 1)).toBe(NOW + POLL_INTERVAL)
  expect(pricesDueAt([bitcoin, ethereum], { [bitcoin]: price }, poll, NOW + 1)).toBe(NOW + 1)
})

test('prices of a coin that has none are not asked for again right after a poll', () => {
  expect(pricesDueAt([bitcoin], {}, poll, NOW + 1)).toBe(NOW + POLL_INTERVAL)
})

test('prices wait for a Retry-After, unless a wrong clock wrote the time', () => {
  const deferred = { ...poll, not_before: NOW + 200_000 }
  expect(pricesDueAt([bitcoin], {}, deferred, NOW + 100_000)).toBe(NOW + 200_000)
  expect(pricesDueAt([bitcoin], {}, deferred, NOW - DAY)).toBe(NOW - DAY)
})

const accepted = (answer: Parameters<typeof acceptedPrices>[0], asked: readonly CoinId[]) =>
  acceptedPrices(answer, asked, { answeredAt: null, asOf: null }, NOW)

test('prices are accepted when they are finite numbers of at least 0, and were asked for', () => {
  const answer = { bitcoin: { usd: 5 }, ethereum: { usd: -1 }, other: { usd: 3 } }
  expect([...accepted(answer, [bitcoin, ethereum])]).toEqual([['bitcoin', { usd: 5, providerTime: NOW }]])
  expect(accepted({ bitcoin: { usd: null } }, [bitcoin]).size).toBe(0)
  expect(accepted({ bitcoin: { usd: Infinity } }, [bitcoin]).size).toBe(0)
  expect([...accepted({ bitcoin: { usd: 0 } }, [bitcoin])]).toEqual([['bitcoin', { usd: 0, providerTime: NOW }]])
  expect(accepted({}, ['constructor' as CoinId]).size).toBe(0)
})

test('prices are as old as the server says, by the server’s own clock', () => {
  const answer = { bitcoin: { usd: 5, last_updated_at: (NOW - DAY - 90_000) / 1000 } }
  const seen = (answeredAt: number | null) =>
    acceptedPrices(answer, [bitcoin], { answeredAt, asOf: null }, NOW).get(bitcoin)?.providerTime
  expect(seen(NOW - DAY)).toBe(NOW - 90_000)
  expect(seen(NOW - DAY - 100_000)).toBe(NOW)
  expect(seen(null)).toBe(NOW)
})
