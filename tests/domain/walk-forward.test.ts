import { readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backtest } from '../../src/domain/backtest'
import { DAY } from '../../src/domain/granularity'
import { isTooFew, logMoments, reachOf, walkForward, type WalkOptions, walkPlan } from '../../src/domain/walk-forward'
import { realPricesFolder, realSeries, warnWithoutRealPrices } from './support/real-prices'

const daily = (ratios: readonly number[]) => ({
  times: Float64Array.from(ratios, (_, day) => day * DAY),
  ratios: Float64Array.from(ratios),
})

/** A window of thirty days, steps of ten. */
const monthly = (k: number): WalkOptions => ({
  from: 30 * DAY,
  window: 30 * DAY,
  step: 10 * DAY,
  k: { high: k, low: k },
  cost: 0,
})

/*
 * A walk once more, day by day, sharing no code with src/domain/walk-forward.ts and src/domain/backtest.ts: what an owner of
 * alerts would have done who set them anew at each step.
 */
function slowWalk(
  ratios: readonly number[],
  days: { from: number; window: number; step: number },
  k: number,
  cost: number,
): number {
  let coins = { a: 1, b: 0 }
  let alerts = { above: NaN, below: NaN, aboveOn: false, belowOn: false }
  for (let day = days.from; day < ratios.length; day++) {
    const yesterday = ratios[day - 1]!
    if ((day - days.from) % days.step === 0) {
      const logs = ratios.slice(day - days.window, day).map(Math.log)
      const mean = logs.reduce((sum, x) => sum + x) / logs.length
      const spread = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1))
      alerts = {
        above: Math.exp(mean + k * spread),
        below: Math.exp(mean - k * spread),
        aboveOn: false,
        belowOn: false,
      }
    }
    if (yesterday < alerts.above) alerts.aboveOn = true
    if (yesterday > alerts.below) alerts.belowOn = true
    if (coins.a > 0 && alerts.aboveOn && ratios[day]! >= alerts.above) {
      coins = { a: 0, b: coins.a * alerts.above * (1 - cost) }
      alerts.aboveOn = false
    } else if (coins.b > 0 && alerts.belowOn && ratios[day]! <= alerts.below) {
      coins = { a: (coins.b / alerts.below) * (1 - cost), b: 0 }
      alerts.belowOn = false
    }
  }
  return coins.a + coins.b / ratios.at(-1)! - 1
}

/** No step is small, so that no line and no ratio differ by their rounding alone. */
const steps = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.constantFrom(-1e-3, 1e-3))
  .map(([size, unit]) => size * unit)
const wandering = fc.array(steps, { minLength: 41, maxLength: 150 }).map((path) => {
  let x = 0
  return path.map((step) => Math.exp((x += step)))
})

test('no price after a day moves a swap up to that day', () => {
  fc.assert(
    fc.property(wandering, fc.nat(150), fc.double({ min: 0.2, max: 5, noNaN: true }), (ratios, at, factor) => {
      const day = Math.min(at, ratios.length - 1)
      const swapsTo = (values: readonly number[]) =>
        (walkForward(daily(values), monthly(1))?.swaps ?? [])
          .filter((swap) => swap.at <= day)
          .map(({ at: index, to, ratio }) => ({ index, to, ratio }))
      const changed = ratios.map((ratio, index) => (index > day ? ratio * factor ** (1 + (index % 3)) : ratio))
      expect(swapsTo(changed)).toEqual(swapsTo(ratios))
    }),
  )
})

test('a walk of any ratios leaves what setting alerts anew at each step would have left', () => {
  fc.assert(
    fc.property(wandering, fc.constantFrom(0.5, 1, 2), fc.constantFrom(0, 0.003), (ratios, k, cost) => {
      const slow = slowWalk(ratios, { from: 30, window: 30, step: 10 }, k, cost)
      expect(walkForward(daily(ratios), { ...monthly(k), cost })?.gain ?? 0).toBeCloseTo(slow, 9)
    }),
  )
})

test('a ratio beyond the lines of a new step is no swap until it has been on their near side', () => {
  const before = Array.from({ length: 30 }, (_, day) => (day === 29 ? 1.5 : 1 + (day % 2) / 100))
  const swaps = (after: readonly number[]) =>
    walkForward(daily([...before, ...after]), monthly(1))!.swaps.map(({ at }) => at)
  expect(swaps([1.5, 1.5, 1.5])).toEqual([])
  expect(swaps([1.5, 1, 1.5])).toEqual([32])
})

test('a step without a known window has no lines, and walking begins at the first that has', () => {
  const ratios = Array.from({ length: 100 }, (_, day) => Math.exp(0.1 * Math.sin(day)))
  expect(walkForward(daily(ratios), { ...monthly(1), from: 0 })!.from).toBe(30 * DAY)
  expect(walkForward(daily(ratios.slice(0, 20)), { ...monthly(1), from: 0 })).toBeNull()
})

test('thresholds are walked as their distance from the mean in deviations, each side its own', () => {
  const ratios = Float64Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 2 : 8))
  const deviation = Math.LN2 * Math.sqrt(40 / 39)
  const k = reachOf(ratios, { high: 4 * Math.exp(deviation), low: 4 * Math.exp(-3 * deviation) })!
  expect(k.high).toBeCloseTo(1, 12)
  expect(k.low).toBeCloseTo(3, 12)
  expect(reachOf(new Float64Array(40).fill(2), { high: 3, low: 1 })).toBeNull()
})

test('the moments of a peg keep their digits', () => {
  const ratios = Float64Array.from({ length: 40 }, (_, i) => 1 + (i % 2) * 1e-9)
  expect(logMoments(ratios)!.deviation / (0.5e-9 * Math.sqrt(40 / 39))).toBeCloseTo(1, 6)
})

test('periods from 90 days on walk by the month from 90 days, shorter ones in tenths from three of them', () => {
  expect([365, 90].map((days) => walkPlan(days * DAY))).toEqual([
    { window: 90 * DAY, step: 30 * DAY },
    { window: 90 * DAY, step: 30 * DAY },
  ])
  expect(walkPlan(30 * DAY)).toEqual({ window: 9 * DAY, step: 3 * DAY })
  expect([isTooFew(9), isTooFew(10)]).toEqual([true, false])
})

warnWithoutRealPrices()

describe.skipIf(realPricesFolder === undefined)('walking forward over real prices', () => {
  /** The last 455 common closes of every pair that has 456, A later in the alphabet than B, by `round(ms / day)`. */
  function closesOfPairs(): number[][] {
    const coins = readdirSync(realPricesFolder!)
      .filter((file) => file.endsWith('.1d.csv'))
      .map((file) => file.replace('.1d.csv', ''))
      .toSorted()
    const closes = coins.map((coin) => {
      const { times, prices } = realSeries(coin, '1d')
      return new Map(Array.from(times, (time, index) => [Math.round(time / DAY), prices[index]!]))
    })
    return closes.flatMap((b, at) =>
      closes.slice(at + 1).flatMap((a) => {
        const days = [...a.keys()].filter((day) => b.has(day)).toSorted((one, other) => one - other)
        return days.length < 456 ? [] : [days.slice(-455).map((day) => a.get(day)! / b.get(day)!)]
      }),
    )
  }
  const median = (values: readonly number[]) => {
    const sorted = values.toSorted((one, other) => one - other)
    return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
  }

  test.each([
    [1, ['-0.0 %', '49.8 %', '182 above', '4 swaps']],
    [2, ['4.5 %', '0.0 %', '202 above', '3 swaps']],
  ])('all pairs walked at %d deviations have the median of slow walks, not that of hindsight', (k, words) => {
    const pairs = closesOfPairs()
    expect(pairs.length).toBe(378)
    const walks = pairs.map((ratios) =>
      walkForward(daily(ratios), {
        from: 90 * DAY,
        window: 90 * DAY,
        step: 30 * DAY,
        k: { high: k, low: k },
        cost: 0.003,
      })!,
    )
    const slow = pairs.map((ratios) => slowWalk(ratios, { from: 90, window: 90, step: 30 }, k, 0.003))
    expect(Math.abs(median(walks.map((walk) => walk.gain)) - median(slow))).toBeLessThan(0.001)
    const inSample = pairs.map((all) => {
      const year = daily(all.slice(-365))
      const { mean, deviation } = logMoments(year.ratios)!
      const [high, low] = [Math.exp(mean + k * deviation), Math.exp(mean - k * deviation)]
      return backtest({ ...year, levels: { kind: 'thresholds', high, low }, cost: 0.003 })!.rotating.a - 1
    })
    const swaps = median(walks.map((walk) => walk.swaps.length))
    const above = slow.filter((gain) => gain > 0).length
    const told = [median(slow), median(inSample)].map((gain) => `${(100 * gain).toFixed(1)} %`)
    expect([...told, `${above} above`, `${swaps} swaps`]).toEqual(words)
  })
})
