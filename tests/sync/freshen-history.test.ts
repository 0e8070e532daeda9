import { expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { ensureIdentity } from '../../src/db/identity'
import { readHistory, writeAggregated } from '../../src/db/history-rows'
import { StorageFull } from '../../src/db/quota-eviction'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { freshenHistory } from '../../src/sync/history'
import { NOW, testContext } from '../db/support/entries'
import { onDisk } from '../db/support/full-disk'
import { historyAnswer, unchangedWithEtag } from './support/history-answer'
import { type Handler, json, wiredEnv } from './support/wire'

const [BITCOIN, ETHEREUM] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const PATH = '/api/v1/coins/bitcoin/historical'
const at = (env: ReturnType<typeof wiredEnv>, time: number) => vi.mocked(env.now).mockReturnValue(time)

const board = async () => {
  const context = testContext()
  const disk = onDisk(context.db)
  await ensureIdentity(context, new Uint8Array(24))
  await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  return { ...context, disk }
}
const point = (coin: CoinId, time: number) => ({
  coin,
  granularity: 'fiveMinutely' as const,
  source: 'simulated' as const,
  series: { times: Float64Array.of(time), prices: Float64Array.of(5) },
})

test.each([
  ['never before', null],
  ['eight days before', NOW - 8 * DAY],
])(
  'the staleness check asks again for months that failed to load and had loaded %s, although live prices have made points since',
  async (_, before) => {
    const { db } = await board()
    if (before !== null)
      for (const period of ['3m', '1d'] as const)
        await db.history_fetches.put({
          coin_id: BITCOIN,
          period,
          attempted_at: before,
          fetched_at: before,
          etag: null,
        })
    await writeAggregated(db, [point(BITCOIN, NOW - 8 * DAY)], NOW - 8 * DAY)
    await writeAggregated(db, [point(ETHEREUM, NOW)], NOW)
    const failing = wiredEnv(db, {})
    await freshenHistory(failing)
    const wanted = ['3m', '1d'].map((period) => `GET ${PATH}?period=${period}`)
    expect(failing.asked.toSorted()).toEqual(wanted.toSorted())

    const later = NOW + 5 * MINUTE
    await writeAggregated(db, [point(BITCOIN, later), point(ETHEREUM, later)], later)
    const env = wiredEnv(db, { [PATH]: unchangedWithEtag })
    at(env, later)
    await freshenHistory(env)
    expect(env.asked.toSorted()).toEqual(wanted.toSorted())
    at(env, later + 5 * MINUTE)
    await freshenHistory(env)
    expect(env.asked).toHaveLength(2)
  },
)

test('the staleness check asks for the long period of a coin before its last day', async () => {
  const { db } = await board()
  await writeAggregated(db, [point(BITCOIN, NOW - 8 * DAY)], NOW - 8 * DAY)
  await writeAggregated(db, [point(ETHEREUM, NOW)], NOW)
  const env = wiredEnv(db, { [PATH]: unchangedWithEtag })
  await freshenHistory(env)
  expect(env.asked).toEqual(['3m', '1d'].map((period) => `GET ${PATH}?period=${period}`))
})

test('history of a coin that the server no longer lists is asked for once a day', async () => {
  const { db } = await board()
  const gone: Handler = () => json(404, { detail: 'No such coin.', error_code: 'NOT_FOUND' })
  const env = wiredEnv(db, { [PATH]: gone, '/api/v1/coins/ethereum/historical': gone })
  const asked: number[] = []
  for (let minutes = 0; minutes <= 25 * 60; minutes += 5) {
    at(env, NOW + minutes * MINUTE)
    const before = env.asked.length
    await freshenHistory(env)
    if (env.asked.length > before) asked.push(minutes)
  }
  expect(asked).toEqual([0, 24 * 60])
})

test('history with points from a clock that was ahead is not asked for again and again', async () => {
  const { db } = await board()
  const answer = json(200, historyAnswer([[NOW - MINUTE, 5]]))
  await writeAggregated(db, [point(BITCOIN, NOW), point(ETHEREUM, NOW)], NOW)
  // Written while the clock was three hours ahead; the right clock has written nothing since.
  for (const coin of [BITCOIN, ETHEREUM]) {
    const row = (await readHistory(db, coin, 'fiveMinutely'))!
    await db.history.put({ ...row, times: Float64Array.of(NOW, NOW + 3 * HOUR), prices: Float64Array.of(5, 5) })
  }
  const env = wiredEnv(db, { [PATH]: () => answer.clone() })
  await freshenHistory(env)
  expect(env.asked).toEqual([])
})

test('the staleness check rejects with StorageFull where nothing can be stored', async () => {
  const { db, disk } = await board()
  disk.limit = 0
  await expect(freshenHistory(wiredEnv(db, { [PATH]: unchangedWithEtag }))).rejects.toBeInstanceOf(StorageFull)
})
