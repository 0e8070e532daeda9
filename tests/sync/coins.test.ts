import { expect, test, vi } from 'vitest'
import { readMeta, writeMeta } from '../../src/db/database'
import { syncCoins } from '../../src/sync/reference-data'
import { NOW, testContext } from '../db/support/entries'
import { json, wiredEnv } from './support/wire'

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
  vi.mocked(env.now).mockReturnValue(NOW + 86_399_999)
  await syncCoins(env)
  expect(given).toHaveBeenCalledTimes(1)
  vi.mocked(env.now).mockReturnValue(NOW + 86_400_000)
  await syncCoins(env)
  expect(given.mock.calls).toEqual([[undefined], ['"v1"']])
  expect(await readMeta(db, 'coins')).toEqual({ coins: [coin], fetched_at: NOW + 86_400_000, etag: '"v1"' })
})

test('a coin that this app cannot read costs no other coin of the list', async () => {
  const { db } = testContext()
  const odd = [{ ...coin, id: 'bad id/ü' }, { ...coin, id: 'other', market_cap_rank: 0 }, null]
  await syncCoins(wiredEnv(db, { '/api/v1/coins/supported': () => json(200, [odd[0], coin, ...odd.slice(1)]) }))
  expect((await readMeta(db, 'coins'))!.coins).toEqual([coin])
  expect((await readMeta(db, 'sync_state'))?.problem ?? null).toBeNull()
})

test('a coin list of which this app can read nothing leaves the old list', async () => {
  const { db } = testContext()
  await writeMeta(db, 'coins', { coins: [coin as never], fetched_at: 0, etag: null })
  await syncCoins(wiredEnv(db, { '/api/v1/coins/supported': () => json(200, [{ coin: 1 }, 7]) }))
  expect((await readMeta(db, 'coins'))!.coins).toHaveLength(1)
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
