import { beforeEach, expect, test, vi } from 'vitest'
import { type MarketProvider, ProviderError } from '../../server/adapters/market-data/provider'
import { simulatedProvider } from '../../server/adapters/market-data/simulated/simulated'
import { ownCloses } from '../../server/services/market/history/own-closes'
import { saveCoins } from '../../server/services/market/coin-list'
import { ownCallsAMinute } from '../../server/services/market/prices/call-budget'
import { closesOf, decodeDailyMatrix } from '../../src/domain/daily-matrix'
import { MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { clock, database, gecko, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'
import { wave } from './support/coingecko-stand-in'

useMarketScene()

/** A newcomer's twelve coins. */
const COINS = Array.from({ length: 12 }, (_, coin) => `coin-${coin}`)
/** Calls a minute that the provider allows, as of a free key. */
const PACE = 30

let calls: number[]
let broken: string
let filled: string[]

/** Refuses what comes too fast, as CoinGecko does, and never knows one coin. */
function strictProvider(): MarketProvider {
  return {
    ...simulatedProvider(clock),
    source: 'coingecko',
    history: async (id, granularity) => {
      const ofMinute = calls.filter((at) => at > clock() - MINUTE)
      if (ofMinute.length >= PACE) {
        throw new ProviderError('rate-limited', 'Too fast', { retryAfter: ofMinute[0]! + MINUTE - clock() })
      }
      calls.push(clock())
      if (id === broken) throw new ProviderError('refused', 'No such chart')
      return simulatedProvider(clock).history('bitcoin', granularity)
    },
  }
}

/** Own closes on a made clock, whose pauses pass at once. */
function make(perMinute = ownCallsAMinute({ COINGECKO_PRO_API_KEY: undefined })) {
  const provider = strictProvider()
  return ownCloses({
    pool: database.pool,
    provider,
    clock,
    perMinute,
    onFilled: (ids) => filled.push(...ids),
    pause: async (ms) => clock.advance(ms),
  })
}

beforeEach(async () => {
  calls = []
  broken = ''
  filled = []
  const coins = COINS.map((id, index) => ({
    id,
    symbol: id,
    name: id,
    image: null,
    market_cap_rank: index + 1,
    usd: null,
    providerTime: clock(),
  }))
  await saveCoins(database.pool, 'coingecko', coins, clock())
  await addPairs(
    database,
    COINS.flatMap((id, index) => (index % 2 === 0 ? [[id, COINS[index + 1]!] as const] : [])),
  )
})

/** Coins with a past. */
async function known(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT c.id FROM market_coins c WHERE (SELECT count(*) FROM market_closes m WHERE m.coin_key = c.key) > 360 ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}

test("the past of a newcomer's twelve coins is known within a minute, though charts have taken the key's calls just before", async () => {
  const begun = clock()
  calls = Array.from({ length: PACE - 2 }, () => begun - 20_000)
  make().soon(COINS)
  await vi.waitFor(() => expect(filled.toSorted()).toEqual(COINS.toSorted()))
  expect(await known()).toEqual(COINS.toSorted())
  expect(clock() - begun).toBeLessThanOrEqual(MINUTE)
})

test('a coin whose past the provider refuses keeps none of the others waiting, and is left alone for minutes', async () => {
  broken = 'coin-3'
  const own = make()
  await own.ask(COINS, new AbortController().signal)
  expect(await known()).toEqual(COINS.filter((id) => id !== broken).toSorted())
  await own.ask(COINS, new AbortController().signal)
  expect(calls).toHaveLength(COINS.length)
  clock.advance(5 * MINUTE)
  broken = ''
  await own.ask(COINS, new AbortController().signal)
  expect(filled.at(-1)).toBe('coin-3')
})

test('no more coins are asked for in a minute than the key allows, by two processes together', async () => {
  const [one, other] = [make(5), make(5)]
  await one.ask(COINS, new AbortController().signal)
  await other.ask(COINS, new AbortController().signal)
  expect(calls).toHaveLength(5)
  clock.advance(MINUTE + 1)
  await other.ask(COINS, new AbortController().signal)
  expect(calls).toHaveLength(10)
})

test('coins that a widget begins to hold have their closes in the next matrix, and the streams are told', async () => {
  for (const [index, id] of COINS.entries()) gecko.coins.set(id, { id, rank: 20 + index, price: wave(5 + index) })
  const market = await startMarket()
  await market.daily()
  const told: string[] = []
  const arrived = new Promise<void>((resolve) => {
    database.changes.subscribe((changes) => {
      for (const change of changes) if (change.kind === 'closes') told.push(change.coin)
      if (told.length === 2) resolve()
    })
  })
  market.held(['coin-4', 'coin-5'] as CoinId[])
  await arrived
  const matrix = decodeDailyMatrix(new Uint8Array((await market.daily()).bytes).buffer)!
  const row = (matrix.coins as readonly string[]).indexOf('coin-4')
  expect(closesOf(matrix, row).filter((close) => close > 0).length).toBeGreaterThan(360)
  expect(told.toSorted()).toEqual(['coin-4', 'coin-5'])
})
