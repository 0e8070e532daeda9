import 'fake-indexeddb/auto'
import { describe, expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/add-widget'
import { clearCache } from '../../src/db/commands/clear-cache'
import { ensureIdentity } from '../../src/db/commands/ensure-identity'
import { readHistory } from '../../src/db/queries/history'
import { readMeta, writeMeta } from '../../src/db/queries/meta'
import { readNotices } from '../../src/db/queries/notices'
import { writeAggregated } from '../../src/db/write-history'
import { writePrices } from '../../src/db/write-prices'
import type { CoinId, OwnerId } from '../../src/domain/ids'
import { coalesce } from '../../src/sync/coalesce'
import { syncCoins } from '../../src/sync/coins'
import { freshenHistory } from '../../src/sync/freshen-history'
import { fetchHistory } from '../../src/sync/history'
import { syncPrices } from '../../src/sync/prices'
import { sendAs } from '../../src/sync/send-as'
import { syncSettings } from '../../src/sync/settings'
import { NOW, testContext } from '../db/support/entries'
import { testApp } from '../server/support/test-app'
import { json, SETTINGS, wiredEnv } from './support/wire'

const USER = '11111111-1111-4111-8111-111111111111' as OwnerId
const GUEST = 'anon-1760000000000-AAAAAAAAAAAAAAAAAAAAAAAA' as OwnerId
const [BITCOIN, ETHEREUM] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const LIST = '/api/v1/widgets'
const REFRESH = '/api/v1/auth/refresh-token'

async function signedIn() {
  const { db } = testContext()
  await db.session.put({ key: 'current', owner: USER, tokens: { access: 'old', refresh: 'r1' }, user: null, anonymous_id: GUEST }) // prettier-ignore
  return db
}
const bearer = (init: RequestInit): string => (init.headers as Record<string, string>)['Authorization'] ?? ''
const expired = (): Response => json(401, { detail: 'Expired.', error_code: 'TOKEN_EXPIRED' })
const tokens = { access_token: 'new', refresh_token: 'r2', token_type: 'bearer', expires_in: 900 }

describe('request headers', () => {
  test('a request asks for JSON, as a user with a token alone, as a guest by the anonymous header', async () => {
    const seen: RequestInit['headers'][] = []
    const list = ({ init }: { readonly init: RequestInit }) => {
      seen.push(init.headers)
      return json(200, [])
    }
    const db = await signedIn()
    await sendAs(wiredEnv(db, { [LIST]: list }), USER, { route: 'listWidgets' })
    await db.session.put({ key: 'current', owner: GUEST, tokens: null, user: null, anonymous_id: GUEST })
    await sendAs(wiredEnv(db, { [LIST]: list }), GUEST, { route: 'listWidgets' })
    expect(seen).toEqual([
      { Accept: 'application/json', Authorization: 'Bearer old' },
      { Accept: 'application/json', 'X-Anonymous-User-ID': GUEST },
    ])
  })
})

describe('access token refresh', () => {
  test('an expired access token is refreshed once for all requests that meet it, and each is sent again', async () => {
    const db = await signedIn()
    const env = wiredEnv(db, {
      [LIST]: ({ init }) => (bearer(init) === 'Bearer new' ? json(200, []) : expired()),
      [REFRESH]: () => json(200, tokens),
    })
    const answers = await Promise.all([1, 2, 3].map(() => sendAs(env, USER, { route: 'listWidgets' })))
    expect(answers.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok'])
    expect(env.asked.filter((asked) => asked.includes('refresh'))).toHaveLength(1)
    expect((await db.session.get('current'))!.tokens).toEqual({ access: 'new', refresh: 'r2' })
  })

  test('a token refresh never writes into the session of a user who has signed in since', async () => {
    const db = await signedIn()
    const other = '22222222-2222-4222-8222-222222222222' as OwnerId
    const session = { key: 'current' as const, owner: other, tokens: { access: 'theirs', refresh: 't1' }, user: null, anonymous_id: GUEST } // prettier-ignore
    const env = wiredEnv(db, {
      [LIST]: expired,
      [REFRESH]: async () => {
        await db.session.put(session)
        return json(200, tokens)
      },
    })
    expect((await sendAs(env, USER, { route: 'listWidgets' })).kind).toBe('not-mine')
    expect(await db.session.get('current')).toEqual(session)
  })

  test('a refresh answered INVALID_REFRESH_TOKEN ends the session; UNAUTHENTICATED, a 502 or a foreign page does not', async () => {
    const outcome = async (refresh: () => Response) => {
      const env = wiredEnv(await signedIn(), { [LIST]: expired, [REFRESH]: refresh })
      return sendAs(env, USER, { route: 'listWidgets' })
    }
    const refusal = (error_code: string) => json(401, { detail: 'No.', error_code })
    expect(await outcome(() => refusal('INVALID_REFRESH_TOKEN'))).toMatchObject({ kind: 'refused', error_code: 'INVALID_REFRESH_TOKEN', message: 'Your session has expired. Please log in again.' }) // prettier-ignore
    expect(await outcome(() => refusal('UNAUTHENTICATED'))).toMatchObject({ kind: 'unavailable' })
    expect(await outcome(() => json(502, 'bad gateway'))).toMatchObject({ kind: 'unavailable' })
    expect(await outcome(() => new Response('<html>', { status: 200 }))).toMatchObject({ kind: 'unavailable' })
  })

  test('a guest’s request answered TOKEN_EXPIRED is refused, because a guest has no token to refresh', async () => {
    const { db } = testContext()
    const answer = await sendAs(wiredEnv(db, { [LIST]: expired }), GUEST, { route: 'listWidgets' })
    expect(answer).toMatchObject({
      kind: 'refused',
      message: 'Session expired, and refresh mechanism is not configured.',
    })
  })

  test('a request still answered TOKEN_EXPIRED after the refresh is unavailable, and ends no session', async () => {
    const env = wiredEnv(await signedIn(), { [LIST]: expired, [REFRESH]: () => json(200, tokens) })
    expect(await sendAs(env, USER, { route: 'listWidgets' })).toMatchObject({ kind: 'unavailable', status: 401 })
  })
})

async function boardWithPair() {
  const context = testContext()
  await ensureIdentity(context, new Uint8Array(24))
  await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  await writeMeta(context.db, 'config', { config: SETTINGS as never, fetched_at: NOW })
  return context
}

describe('price poll', () => {
  test('the price poll asks for the coins of pairs that still wait in the outbox', async () => {
    const { db } = await boardWithPair()
    const env = wiredEnv(db, {
      '/api/v3/simple/price': () => json(200, { bitcoin: { usd: 5 }, ethereum: { usd: 'x' } }),
    })
    await syncPrices(env)
    expect(env.asked).toEqual([
      'GET /api/v3/simple/price?ids=bitcoin%2Cethereum&vs_currencies=usd&include_last_updated_at=true',
    ])
    expect(await db.prices.count()).toBe(0)
  })

  test('price polls asked for at once cost one request, and the prices are stored', async () => {
    const { db } = await boardWithPair()
    const env = wiredEnv(db, {
      '/api/v3/simple/price': () => json(200, { bitcoin: { usd: 5 }, ethereum: { usd: null } }),
    })
    await Promise.all([syncPrices(env), syncPrices(env), syncPrices(env)])
    expect(env.asked).toHaveLength(1)
    expect((await db.prices.get('usd'))!.prices).toEqual({ bitcoin: { usd: 5, at: NOW, seen_until: NOW } })
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
    expect((await readNotices(db)).map(({ message }) => message)).toEqual([
      'Failed to fetch latest prices. Error: Gone.',
    ])
    expect((await readMeta(db, 'sync_state'))!.problem).toBe('Failed to fetch latest prices. Error: Gone.')
  })
})

describe('prices of another source than the settings name', () => {
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
})

describe('coin list', () => {
  const coin = { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', image: null, current_price: 1, market_cap_rank: 1 }

  test('the coin list holds for a day, and is then asked for with its ETag', async () => {
    const { db } = testContext()
    const given = vi.fn()
    const env = wiredEnv(db, {
      '/api/v1/coins/supported': ({ init }) => {
        given((init.headers as Record<string, string>)['If-None-Match'])
        return given.mock.calls.length === 1 ? json(200, [coin], { etag: '"v1"' }) : new Response(null, { status: 304 })
      },
    })
    await syncCoins(env)
    await syncCoins(env)
    vi.mocked(env.now).mockReturnValue(NOW + 86_400_000)
    await syncCoins(env)
    expect(given.mock.calls).toEqual([[undefined], ['"v1"']])
    expect(await readMeta(db, 'coins')).toEqual({ coins: [coin], fetched_at: NOW + 86_400_000, etag: '"v1"' })
  })

  test('a load of the coin list that fails leaves the old list, and is recorded as a problem', async () => {
    const { db } = testContext()
    await writeMeta(db, 'coins', { coins: [coin as never], fetched_at: 0, etag: null })
    await syncCoins(wiredEnv(db, { '/api/v1/coins/supported': () => json(200, '<html>') }))
    expect((await readMeta(db, 'coins'))!.coins).toHaveLength(1)
    expect((await readMeta(db, 'sync_state'))!.problem).toBe(
      'Failed to load supported coins: The answer was not understood.',
    )
  })
})

describe('price history', () => {
  const PATH = '/api/v1/coins/bitcoin/historical'
  const answer = (source: string) =>
    json(200, { data: [[NOW - 600_000, 5]], granularity: 'fiveMinutely', source, backfill: [{ granularity: 'hourly', data: [[NOW - 86_400_000, 4]] }] }, { etag: '"h"' }) // prettier-ignore

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

  test('price history that cannot be loaded fails with the words of the specification', async () => {
    const { db } = testContext()
    const env = wiredEnv(db, { [PATH]: () => json(404, { detail: 'No such coin.', error_code: 'NOT_FOUND' }) })
    await expect(fetchHistory(env, BITCOIN, '7d')).rejects.toThrow('Error fetching history for bitcoin (7d): No such coin.') // prettier-ignore
  })

  test('price history that could not be loaded is asked for again although live prices have made points since', async () => {
    const context = testContext()
    const { db } = context
    await ensureIdentity(context, new Uint8Array(24))
    await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
    const failing = wiredEnv(db, {})
    await freshenHistory(failing)
    expect(failing.asked).toHaveLength(2)

    const later = NOW + 300_000
    const series = { times: Float64Array.of(later), prices: Float64Array.of(5) }
    const level = { coin: BITCOIN, granularity: 'fiveMinutely', source: 'simulated', series } as const
    await writeAggregated(db, [level], later)
    const env = wiredEnv(db, { [PATH]: () => answer('simulated') })
    vi.mocked(env.now).mockReturnValue(later)
    await freshenHistory(env)
    expect(env.asked).toContain(`GET ${PATH}?period=1d`)

    vi.mocked(env.now).mockReturnValue(later + 300_000)
    env.asked.length = 0
    await freshenHistory(env)
    expect(env.asked).not.toContain(`GET ${PATH}?period=1d`)
  })

  test('price history of a new source deletes the prices and ticks of the source before', async () => {
    const { db } = testContext()
    await writeMeta(db, 'config', { config: SETTINGS as never, fetched_at: NOW - 1 })
    await writePrices(db, 'simulated', new Map([[BITCOIN, { usd: 1, seen: NOW }]]), NOW)
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
})

test('the server names the source of its prices in a header, the same as in its settings', async () => {
  const server = await testApp()
  const { headers } = await server.app.inject('/api/v3/simple/price?ids=bitcoin&vs_currencies=usd')
  const config = (await server.app.inject('/api/v1/config')).json<typeof SETTINGS>()
  expect(headers['x-market-source']).toBe(config.market_data.source)
  await server.close()
})

test('settings that were loaded are stored, and the next sync does not ask for them again', async () => {
  const { db } = testContext()
  const limits = { max_widgets: 7, max_checkpoints_per_widget: 1 }
  const env = wiredEnv(db, {
    '/api/v1/config': () => json(200, SETTINGS),
    '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
  })
  await syncSettings(env, 'start')
  await syncSettings(env, 'start')
  expect(env.asked).toHaveLength(2)
  expect((await readMeta(db, 'tier_limits'))!.limits.free.max_widgets).toBe(7)
})

test('calls during a coalesced run lead to one more run, for the strongest of their reasons', async () => {
  const runs: string[] = []
  const ends: (() => void)[] = []
  const ask = coalesce((reason) => {
    runs.push(reason)
    return new Promise((resolve) => ends.push(resolve))
  })
  const first = ask('start')
  const later = [ask('tick'), ask('online'), ask('command')]
  ends[0]!()
  await first
  await vi.waitFor(() => expect(runs).toEqual(['start', 'online']))
  ends[1]!()
  await Promise.all(later)
  expect(runs).toHaveLength(2)
})

test('a call in the moment that a coalesced run ends joins the waiting calls, and two runs never overlap', async () => {
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const asks: Promise<void>[] = []
  const ask = coalesce(() => {
    most = Math.max(most, (running += 1))
    const work = new Promise<void>((resolve) => ends.push(resolve)).then(() => void (running -= 1))
    // Heard after the queue has noted the end, and before it begins the next run.
    if (asks.length === 0) queueMicrotask(() => void work.then(() => asks.push(ask('command'))))
    return work
  })
  asks.push(ask('start'), ask('tick'))
  ends[0]!()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve))
  for (const end of ends) end()
  await Promise.all(asks)
  expect(most).toBe(1)
})
