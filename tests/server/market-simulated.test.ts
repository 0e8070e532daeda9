import { expect, test } from 'vitest'
import { SIMULATED_COINS } from '../../server/adapters/market-data/simulated/coins'
import { simulatedPrice, simulatedPrices } from '../../server/adapters/market-data/simulated/prices'
import { simulatedProvider } from '../../server/adapters/market-data/simulated/simulated'
import { BUCKET_MS, DAY, GRANULARITIES, HOUR, MINUTE } from '../../src/domain/granularity'

const NOW = Date.UTC(2026, 10, 21, 12, 34, 56, 789)
const times = (count: number, step: number, end = NOW) =>
  Float64Array.from({ length: count }, (_, i) => end - (count - 1 - i) * step)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const covariance = (a: readonly number[], b: readonly number[]) => {
  const [ma, mb] = [mean(a), mean(b)]
  return mean(a.map((value, i) => (value - ma) * (b[i]! - mb)))
}
const correlation = (a: readonly number[], b: readonly number[]) =>
  covariance(a, b) / Math.sqrt(covariance(a, a) * covariance(b, b))
const differences = (values: readonly number[], lag: number) => values.slice(lag).map((value, i) => value - values[i]!)

const logs = (id: string, at: Float64Array) => Array.from(simulatedPrices(id, at)!, Math.log)
const logRatio = (a: string, b: string, at: Float64Array) => {
  const [la, lb] = [logs(a, at), logs(b, at)]
  return la.map((value, i) => value - lb[i]!)
}
/** Free coins: those that stand for a dollar or for another coin are held to it. */
const FREE = SIMULATED_COINS.filter((coin) => coin.temper !== 'pegged' && coin.follows === undefined).map(
  ({ id }) => id,
)
const PAIRS = FREE.slice(0, 20)
  .map((id, i) => [id, FREE[(i * 7 + 3) % FREE.length]!] as const)
  .filter(([a, b]) => a !== b)

test('the simulated market has at least 55 coins with unique ids and symbols, and no price for an unknown coin', () => {
  expect(SIMULATED_COINS.length).toBeGreaterThanOrEqual(55)
  expect(new Set(SIMULATED_COINS.map(({ id }) => id)).size).toBe(SIMULATED_COINS.length)
  expect(new Set(SIMULATED_COINS.map(({ symbol }) => symbol)).size).toBe(SIMULATED_COINS.length)
  for (const { follows } of SIMULATED_COINS) expect(follows === undefined || FREE.includes(follows)).toBe(true)
  expect(simulatedPrice('no-such-coin', NOW)).toBeUndefined()
})

test('every simulated price of three years lies within a factor of six of its coin’s level', () => {
  const at = times(1095, DAY)
  for (const { id, level } of SIMULATED_COINS) {
    const prices = simulatedPrices(id, at)!
    expect(Math.min(...prices)).toBeGreaterThan(level / 6)
    expect(Math.max(...prices)).toBeLessThan(level * 6)
  }
})

test('a simulated price depends on coin, time and seed alone, not on other times asked for or their order', () => {
  const at = times(500, 7 * MINUTE + 13)
  const all = simulatedPrices('ethereum', at)!
  for (const i of [499, 0, 250, 1, 498]) expect(simulatedPrice('ethereum', at[i]!)).toBe(all[i])
  expect(Array.from(simulatedPrices('ethereum', at.slice(100, 110))!)).toEqual(Array.from(all.slice(100, 110)))
  expect(Array.from(simulatedPrices('ethereum', at, 2)!)).not.toEqual(Array.from(all))
})

test('simulated prices of a fixed moment equal the recorded ones', () => {
  const then = Date.UTC(2026, 0, 1)
  expect(['bitcoin', 'shiba-inu', 'tether'].map((id) => simulatedPrice(id, then))).toMatchInlineSnapshot(`
    [
      89910.29,
      0.0000080729451,
      1.0000686,
    ]
  `)
})

test('the spread of simulated ratios grows far more slowly than that of a random walk', () => {
  // Variance ratio: 1 for a random walk, 0 for what always comes back.
  const ratios = PAIRS.map(([a, b]) => {
    const series = logRatio(a, b, times(3 * 365, DAY))
    const step = differences(series, 1)
    const far = differences(series, 60)
    return covariance(far, far) / (60 * covariance(step, step))
  })
  expect(mean(ratios)).toBeLessThan(0.15)
  // While a walk of as many steps is told apart from it.
  let walked = 0
  let state = 42
  const walk = Array.from({ length: 3 * 365 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (walked += state / 2 ** 32 - 0.5)
  })
  const step = differences(walk, 1)
  const far = differences(walk, 60)
  expect(covariance(far, far) / (60 * covariance(step, step))).toBeGreaterThan(0.3)
})

test('a simulated ratio keeps most of a deviation for two hours and loses most of it within twenty days', () => {
  for (const [a, b] of PAIRS) {
    const series = logRatio(a, b, times(180 * 24, HOUR))
    const centred = series.map((value) => value - mean(series))
    const at = (lag: number) =>
      mean(centred.slice(lag).map((value, i) => value * centred[i]!)) / mean(centred.map((value) => value ** 2))
    expect(at(2)).toBeGreaterThan(0.9)
    expect(Math.min(...Array.from({ length: 40 }, (_, i) => at((i + 1) * 12)))).toBeLessThan(0.3)
  }
})

test('daily moves of simulated coins are correlated, but not identical', () => {
  const at = times(365, DAY)
  const market = PAIRS.map(([a, b]) => correlation(differences(logs(a, at), 1), differences(logs(b, at), 1)))
  expect(mean(market)).toBeGreaterThan(0.4)
  expect(mean(market)).toBeLessThan(0.97)
})

test('a simulated coin moves at nearly every 75-second poll, and never by more than 2 percent', () => {
  const at = times(200, 75_000)
  for (const id of FREE) {
    const moves = differences(logs(id, at), 1).map(Math.abs)
    expect(moves.filter((move) => move > 0).length).toBeGreaterThan(190)
    expect(Math.max(...moves)).toBeLessThan(0.02)
    const seconds = differences(logs(id, times(120, 1000)), 1).map(Math.abs)
    expect(Math.max(...seconds)).toBeLessThan(0.002)
  }
})

test('a simulated dollar coin stays within one cent of a dollar, and a wrapped or staked coin within 2 percent of its coin', () => {
  const at = times(365, DAY)
  for (const price of simulatedPrices('tether', at)!) expect(Math.abs(price - 1)).toBeLessThan(0.01)
  for (const value of logRatio('wrapped-bitcoin', 'bitcoin', at)) expect(Math.abs(value)).toBeLessThan(0.02)
  for (const value of logRatio('staked-ether', 'ethereum', at)) expect(Math.abs(value)).toBeLessThan(0.02)
})

test('simulated history at every level and the simulated spot price are one function of time', async () => {
  const provider = simulatedProvider(() => NOW)
  const spot = (await provider.spotPrices(['solana', 'nobody'])).get('solana')
  expect(spot).toEqual({ usd: simulatedPrice('solana', NOW), providerTime: NOW })
  for (const granularity of GRANULARITIES) {
    const { times, prices } = await provider.history('solana', granularity)
    const step = BUCKET_MS[granularity]
    expect(times[0]! - (NOW - provider.reach[granularity]!)).toBeLessThan(step)
    expect(NOW - times.at(-1)!).toBeLessThan(step)
    times.forEach((time, i) => {
      expect(time % step).toBe(0)
      expect(prices[i]).toBe(simulatedPrice('solana', time))
    })
  }
})

test('a simulated year of days takes under 10 ms, and 90 days of hours under 30 ms', { tags: ['full'] }, () => {
  const best = (count: number, step: number) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const started = performance.now()
        simulatedPrices('bitcoin', times(count, step))
        return performance.now() - started
      }),
    )
  expect(best(365, DAY)).toBeLessThan(10)
  expect(best(2160, HOUR)).toBeLessThan(30)
})
