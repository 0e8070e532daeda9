import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../src/domain/granularity'
import { realPricesFolder, realSeries, warnWithoutRealPrices } from '../domain/support/real-prices'
import { seeded } from '../server/support/seeded'
import { testApp, type TestApp } from '../server/support/test-app'
import { openApp } from '../sync/support/open-app'

/** Recorded crossings of five pairs, each of which an open app is to tell of once. */
const CROSSINGS = Number(process.env['CROSSINGS'] ?? 100)
const BETWEEN_PRICES_MS = 5 * MINUTE
/** Of which the thresholds are quantiles: half a day. */
const SEEN = 144
const PAIRS = [
  ['bitcoin', 'ethereum'],
  ['solana', 'ethereum'],
  ['dogecoin', 'bitcoin'],
  ['cardano', 'ripple'],
  ['chainlink', 'polkadot'],
] as const
const COINS = [...new Set(PAIRS.flat())]

warnWithoutRealPrices()

let server: TestApp
beforeEach(async () => {
  server = await testApp()
})
afterEach(() => server.close())

/** Five-minute prices of all coins at the same times, oldest first. */
function tape(): Record<string, number>[] {
  const series = COINS.map((coin) => realSeries(coin, '5m'))
  const priceAt = new Map(
    COINS.map((coin, index) => [
      coin,
      new Map([...series[index]!.times].map((time, at) => [time, series[index]!.prices[at]!])),
    ]),
  )
  const times = [...series[0]!.times].filter((time) => COINS.every((coin) => priceAt.get(coin)!.has(time)))
  return times.map((time) => Object.fromEntries(COINS.map((coin) => [coin, priceAt.get(coin)!.get(time)!])))
}

function thresholds(prices: readonly Record<string, number>[]) {
  return PAIRS.map(([coinA, coinB]) => {
    const ratios = prices.map((at) => at[coinA]! / at[coinB]!).toSorted((a, b) => a - b)
    const quantile = (share: number) => ratios[Math.floor(share * (ratios.length - 1))]!
    return { coinA, coinB, high: quantile(0.6), low: quantile(0.4) }
  })
}

async function play(options: Pick<Parameters<typeof openApp>[0], 'notifications' | 'pushes'>) {
  const prices = tape()
  const app = await openApp({ server, pairs: thresholds(prices.slice(0, SEEN)), ...options })
  try {
    let steps = 0
    const count = async () =>
      (await server.database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM alert_events')).rows[0]!.n
    for (; steps < prices.length && (await count()) < CROSSINGS; steps++)
      await app.live(prices[steps]!, BETWEEN_PRICES_MS)
    const heard = await app.heard()
    console.log(
      `${heard.crossings.length} crossings in ${steps} updates of recorded prices: ${heard.toasted} in toasts, ${heard.rung.length} rang`,
    )
    expect(heard.crossings.length).toBeGreaterThanOrEqual(CROSSINGS)
    return heard
  } finally {
    app.close()
  }
}

describe.skipIf(realPricesFolder === undefined)(`${CROSSINGS} crossings of recorded prices`, () => {
  test('an open app without push tells of each crossing in exactly one toast over two windows', async () => {
    const { crossings, toasted, listed, rung } = await play({ notifications: 'default', pushes: null })
    expect([toasted, listed, rung]).toEqual([crossings.length, crossings, []])
  })

  test('an open app that may notify, without push, also notifies once for each crossing', async () => {
    const { crossings, toasted, listed, rung } = await play({ notifications: 'granted', pushes: null })
    expect([toasted, listed, rung]).toEqual([crossings.length, crossings, crossings])
  })

  test('with push that comes before or after the pull, up to three times, each crossing notifies once and has one toast', async () => {
    const random = seeded(Number(process.env['SEED'] ?? 1))
    const pushes = () => ({ times: 1 + Math.floor(3 * random()), first: random() < 0.5 })
    const { crossings, toasted, listed, rung } = await play({ notifications: 'granted', pushes })
    expect([toasted, listed, rung]).toEqual([crossings.length, crossings, crossings])
  })
})
