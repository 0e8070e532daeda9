import { readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Backtest, backtest, breakEven, type SwapLevels } from '../../src/domain/backtest'
import { DEFAULT_SWAP_COST } from '../../src/domain/swap-cost'
import { swapCostOf } from '../../src/domain/backtest-choices'
import { computeChart } from '../../src/domain/chart'
import { DAY } from '../../src/domain/granularity'
import { PERIODS } from '../../src/domain/chart-periods'
import { quantile } from '../../src/domain/standing'
import { touchesOf } from '../../src/domain/touches'
import { realPricesFolder, realRecords, realSeries, warnWithoutRealPrices } from './support/real-prices'

/*
 * The backtest once more, written another way: a list of events is made first, then two wallets are moved from event to
 * event. It shares no code with src/domain/backtest.ts.
 */

/** `sellAt` and `buyAt`: the lines in force at the tick. */
interface Tick {
  readonly time: number
  readonly ratio: number
  readonly sellAt: number
  readonly buyAt: number
}

interface Wallet {
  readonly coin: 'A' | 'B'
  readonly amount: number
}

interface Simulated {
  readonly swaps: readonly { readonly time: number; readonly to: 'A' | 'B'; readonly price: number }[]
  readonly endInA: number
  readonly endInB: number
  /** With each swap at the worse of its price and the next tick's. */
  readonly lateInA: number
  readonly holdBInA: number
  readonly waits: readonly number[]
  readonly drawdown: number
}

/** A reached line, and what the swap there pays. */
interface Event {
  readonly tick: Tick
  readonly to: 'A' | 'B'
  readonly price: number
  readonly late: number
}

/** The first tick from `from` on that reaches the line of the coin held, once the ratio has been on the line's near side since `armedFrom`. */
function nextEvent(
  ticks: readonly Tick[],
  held: 'A' | 'B',
  from: number,
  armedFrom: number,
  isFollowing: boolean,
): Event | null {
  const line = (tick: Tick) => (held === 'A' ? tick.sellAt : tick.buyAt)
  const isNear = (tick: Tick, of: Tick) => (held === 'A' ? tick.ratio < line(of) : tick.ratio > line(of))
  const isReached = (tick: Tick) => (held === 'A' ? tick.ratio >= line(tick) : tick.ratio <= line(tick))
  const armed = ticks.findIndex((tick, index) => index >= Math.max(1, armedFrom) && isNear(ticks[index - 1]!, tick))
  if (armed === -1) return null
  const at = ticks.findIndex((tick, index) => index >= Math.max(from, armed) && isReached(tick))
  if (at === -1) return null
  const [before, tick, after] = [ticks[at - 1]!, ticks[at]!, ticks[at + 1]]
  const [older, gap] = [ticks[at - 2], tick.time - before.time]
  const isUnseen = older !== undefined && gap > 3 * (before.time - older.time)
  const isBehind = isFollowing && at === from && !isNear(before, tick)
  const price = isUnseen || isBehind ? tick.ratio : line(tick)
  const choices = after === undefined ? [price] : [price, after.ratio]
  return held === 'A'
    ? { tick, to: 'B', price, late: Math.min(...choices) }
    : { tick, to: 'A', price, late: Math.max(...choices) }
}

function simulateEvents(ticks: readonly Tick[], fee: number): Simulated {
  const events: Event[] = []
  const fired = { A: 0, B: 0 }
  let held: 'A' | 'B' = 'A'
  let from = 0
  for (;;) {
    const event: Event | null = nextEvent(ticks, held, from, fired[held], events.length > 0)
    if (event === null) break
    events.push(event)
    from = ticks.indexOf(event.tick, from) + 1
    fired[held] = from
    held = event.to
  }

  const swapped = (wallet: Wallet, ratio: number): Wallet => {
    const paid = wallet.amount - wallet.amount * fee
    return wallet.coin === 'A' ? { coin: 'B', amount: paid * ratio } : { coin: 'A', amount: paid / ratio }
  }
  const inA = ({ coin, amount }: Wallet, ratio: number) => (coin === 'A' ? amount : amount / ratio)

  let wallet: Wallet = { coin: 'A', amount: 1 }
  const prices = new Map(events.map(({ tick, price }) => [tick, price]))
  const worths = ticks.map((tick) => {
    const price = prices.get(tick)
    if (price !== undefined) wallet = swapped(wallet, price)
    return inA(wallet, tick.ratio)
  })
  const peaks: number[] = []
  for (const worth of worths) peaks.push(Math.max(worth, peaks.at(-1) ?? 0))
  const falls = worths.map((worth, index) => 1 - worth / peaks[index]!)
  const [first, last] = [ticks[0]!, ticks.at(-1)!]
  const moments = events.map(({ tick }) => tick.time)
  const tardy = events.reduce<Wallet>((before, { late }) => swapped(before, late), { coin: 'A', amount: 1 })
  return {
    swaps: events.map(({ tick, to, price }) => ({ time: tick.time, to, price })),
    endInA: inA(wallet, last.ratio),
    endInB: inA(wallet, last.ratio) * last.ratio,
    lateInA: inA(tardy, last.ratio),
    holdBInA: first.ratio / last.ratio,
    waits: [first.time, ...moments].map((moment, index) => (moments[index] ?? last.time) - moment),
    drawdown: Math.max(...falls),
  }
}

const daily = (count: number): Float64Array => Float64Array.from({ length: count }, (_, day) => day * DAY)

const rotate = (ratios: readonly number[], high: number, low: number, fee = 0): Backtest =>
  backtest({
    times: daily(ratios.length),
    ratios: Float64Array.from(ratios),
    levels: { kind: 'thresholds', high, low },
    cost: fee,
  })!

describe('backtest of two thresholds', () => {
  test('A becomes B at the high line and more of A at the low one, however far the points have overshot them', () => {
    const result = rotate([10, 13, 7, 9], 12, 8)
    expect(result.swaps).toEqual([
      { at: 1, to: 'b', ratio: 12, worst: 7 },
      { at: 2, to: 'a', ratio: 8, worst: 9 },
    ])
    expect(rotate([10, 13, 7], 12, 8).rotating.a).toBeCloseTo(1.5, 12)
    expect(result.rotating.b).toBeCloseTo((12 / 8) * 9, 12)
    expect(result.late.a).toBeCloseTo(7 / 9, 12)
    expect(result.holdingA).toEqual({ a: 1, b: 9 })
    expect(result.holdingB).toEqual({ a: 10 / 9, b: 10 })
  })

  test('a ratio equal to a threshold has reached it, and is no swap before it has been on the near side', () => {
    expect(rotate([10, 12, 8], 12, 8).swaps.map(({ at }) => at)).toEqual([1, 2])
    expect(rotate([11.999, 8.001], 12, 8).swaps).toEqual([])
    expect(rotate([12, 13, 11, 12, 7], 12, 8).swaps.map(({ at }) => at)).toEqual([3, 4])
  })

  test('a line that was crossed in a gap of more than three spacings is swapped at the ratio after the gap', () => {
    const after = (gap: number) =>
      backtest({
        times: Float64Array.of(0, 1, 2, 2 + gap, 3 + gap),
        ratios: Float64Array.of(10, 10, 10, 14, 14),
        levels: { kind: 'thresholds', high: 12, low: 8 },
        cost: 0,
      })!.swaps
    expect([after(3), after(3.1)]).toMatchObject([[{ at: 3, ratio: 12 }], [{ at: 3, ratio: 14 }]])
  })

  test('each swap costs fee and spread on what it swaps', () => {
    expect(rotate([10, 12, 8], 12, 8, 0.01).rotating.a).toBeCloseTo((12 * 0.99 * 0.99) / 8, 12)
  })

  test('without a swap rotating is holding A', () => {
    const result = rotate([10, 11, 9], 12, 8, 0.002)
    expect(result.rotating).toEqual(result.holdingA)
    expect([result.medianWait, result.longestWait, result.isLongestUnderWay]).toEqual([null, 2 * DAY, true])
  })

  test('waits are those between swaps; the longest may be before the first or since the last', () => {
    const result = rotate([10, 12, 8, 9, 12, 8, 9, 9, 9, 9], 12, 8)
    expect(result.swaps.map(({ at }) => at)).toEqual([1, 2, 4, 5])
    expect([result.medianWait, result.longestWait, result.isLongestUnderWay]).toEqual([DAY, 4 * DAY, true])
    expect(rotate([10, 10, 10, 12, 8], 12, 8)).toMatchObject({ longestWait: 3 * DAY, isLongestUnderWay: false })
  })

  test('the drawdown is the deepest fall of the amount in A, while it is held as B', () => {
    // Sold at 12, and the ratio rises to 16: what is held is worth 12 / 16 of the A that was sold.
    expect(rotate([10, 12, 16, 8], 12, 8).drawdown).toBeCloseTo(0.25, 12)
    expect(rotate([10, 11, 9], 12, 8).drawdown).toBe(0)
  })

  test('a high threshold that is not above the low one, and a chart without a point, have no backtest', () => {
    const of = (ratios: number[], high: number, low: number) =>
      backtest({
        times: daily(ratios.length),
        ratios: Float64Array.from(ratios),
        levels: { kind: 'thresholds', high, low },
        cost: 0,
      })
    expect(of([1, 2], 2, 2)).toBeNull()
    expect(of([1, 2], 1, 2)).toBeNull()
    expect(of([1, 2], NaN, 2)).toBeNull()
    expect(of([], 2, 1)).toBeNull()
  })
})

describe('backtest at the bands', () => {
  const at = (ratios: readonly number[], high: readonly number[], low: readonly number[]) =>
    backtest({
      times: daily(ratios.length),
      ratios: Float64Array.from(ratios),
      levels: { kind: 'bands', high: Float64Array.from(high), low: Float64Array.from(low) },
      cost: 0,
    })!.swaps

  test('a band is in force at the next point, since its own point’s ratio is part of it', () => {
    expect(at([10, 12, 13, 13], [11, 14, 12, 12], [5, 5, 5, 5])).toEqual([{ at: 1, to: 'b', ratio: 11, worst: 11 }])
    expect(at([10, 10, 13, 11], [NaN, 12, 12, 12], [NaN, 8, 8, 8])).toMatchObject([{ at: 2, ratio: 12 }])
  })

  test('a band that sinks below the ratio is swapped at, at the band', () => {
    expect(at([10, 10, 10, 10], [12, 9, 9, 9], [5, 5, 5, 5])).toMatchObject([{ at: 2, to: 'b', ratio: 9 }])
  })

  test('no point is two swaps, and a band that has passed the ratio during a swap is swapped at the next ratio', () => {
    expect(at([10, 13, 12, 12], [12, 15, 15, 15], [5, 14, 5, 5])).toMatchObject([
      { at: 1, to: 'b', ratio: 12 },
      { at: 2, to: 'a', ratio: 12 },
    ])
  })
})

describe('break-even of a swap there and back', () => {
  test('a way back at the break-even ratio leaves exactly what there was', () => {
    const there = 28 * (1 - 0.002)
    expect((there / breakEven('high', 28, 0.002)) * (1 - 0.002)).toBeCloseTo(1, 14)
    expect((1 - 0.002) / 28 / ((1 / breakEven('low', 28, 0.002)) * (1 / (1 - 0.002)))).toBeCloseTo(1, 14)
    expect(breakEven('high', 28, 0.003)).toBeCloseTo(27.832252, 9)
    expect(breakEven('low', 28, 0.003)).toBeCloseTo(28.168759, 6)
  })
})

test('a stored fee of 0.2 % that was never typed moves along to the default cost, and a typed one stays', () => {
  expect([undefined, {}, { fee: 0.002 }].map(swapCostOf)).toEqual(Array(3).fill(DEFAULT_SWAP_COST))
  expect([{ fee: 0.005 }, { fee: 0.005, cost: 0.002 }, { cost: 0 }].map(swapCostOf)).toEqual([0.005, 0.002, 0])
})

const ratio = fc.double({ min: 0.5, max: 2, noNaN: true })
const fee = fc.constantFrom(0, 0.002, 0.01)

/** Compares with the simulation that walks from event to event. */
function expectSimulated(times: Float64Array, ratios: Float64Array, levels: SwapLevels, paid: number): void {
  const found = backtest({ times, ratios, levels, cost: paid })!
  const ticks = Array.from(ratios, (at, index) => ({
    time: times[index]!,
    ratio: at,
    sellAt: levels.kind === 'thresholds' ? levels.high : (levels.high[index - 1] ?? NaN),
    buyAt: levels.kind === 'thresholds' ? levels.low : (levels.low[index - 1] ?? NaN),
  }))
  const wanted = simulateEvents(ticks, paid)
  const made = found.swaps.map(({ at, to, ratio: price }) => ({ time: times[at]!, to: to.toUpperCase(), price }))
  expect(made).toEqual(wanted.swaps)
  const close = (one: number, other: number) => expect(Math.abs(one / other - 1)).toBeLessThan(1e-12)
  close(found.rotating.a, wanted.endInA)
  close(found.rotating.b, wanted.endInB)
  close(found.late.a, wanted.lateInA)
  close(found.holdingB.a, wanted.holdBInA)
  expect(found.longestWait).toBe(Math.max(...wanted.waits))
  expect(Math.abs(found.drawdown - wanted.drawdown)).toBeLessThan(1e-12)
}

describe('backtest and an event-by-event simulation', () => {
  test('a backtest of any ratios equals the simulation that walks from event to event', () => {
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 1, maxLength: 200 }), ratio, ratio, fee, (values, one, other, paid) => {
        fc.pre(one !== other)
        const levels: SwapLevels = { kind: 'thresholds', high: Math.max(one, other), low: Math.min(one, other) }
        expectSimulated(daily(values.length), Float64Array.from(values), levels, paid)
      }),
    )
  })

  test('a higher fee never leaves more, and another unit of the ratio leaves the same amount of A', () => {
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 2, maxLength: 60 }), fee, (values, paid) => {
        const plain = rotate(values, 1.3, 0.8, paid)
        expect(rotate(values, 1.3, 0.8, paid + 0.001).rotating.a).toBeLessThanOrEqual(plain.rotating.a)
        const scaled = values.map((value) => value * 1024)
        expect(rotate(scaled, 1.3 * 1024, 0.8 * 1024, paid).rotating.a).toBe(plain.rotating.a)
      }),
    )
  })
})

warnWithoutRealPrices()

/** Every ordered pair of the coins whose prices are there. */
function realPairs(): (readonly [string, string])[] {
  const coins = readdirSync(realPricesFolder!)
    .filter((file) => file.endsWith('.1d.csv'))
    .map((file) => file.replace('.1d.csv', ''))
  return coins.flatMap((a) => coins.filter((b) => b !== a).map((b) => [a, b] as const))
}

describe.skipIf(realPricesFolder === undefined)('backtest on real prices', () => {
  test('a year of ETH / BTC at one deviation leaves 1.697592 ETH, less at 0.3 %, and is reached as often as swapped', () => {
    const [eth, btc] = ['ethereum', 'bitcoin'].map((coin) => realSeries(coin, '1d').prices.slice(-365))
    const times = daily(365)
    const ratios = eth!.map((price, day) => price / btc![day]!)
    const levels: SwapLevels = { kind: 'thresholds', high: 0.03741, low: 0.02334 }
    const of = (cost: number) => backtest({ times, ratios, levels, cost })!
    expect(of(0.002).swaps.map(({ at }) => at)).toEqual([15, 139, 293])
    expect([of(0.002), of(0.003)].map(({ rotating }) => rotating.a.toFixed(6))).toEqual(['1.697592', '1.692494'])
    // Two days on the near side long before them: the first point is a swap at its own ratio, as the rows that count it have it.
    const long = {
      times: Float64Array.of(-90 * DAY, -89 * DAY, ...times),
      ratios: Float64Array.of(0.03, 0.03, ...ratios),
    }
    const counted = [0.002, 0.003].map((cost) => backtest({ ...long, levels, cost })!)
    expect(counted.map(({ rotating }) => rotating.a.toFixed(6))).toEqual(['1.717941', '1.712782'])
    expect(counted.map(({ late }) => late.a.toFixed(6))).toEqual(['1.687570', '1.682503'])
    const touches = (['high', 'low'] as const).map((side) => touchesOf({ times, ratios }, side, levels[side]).count)
    expect(touches).toEqual([2, 1])
  })

  /** Every chart of the pairs, at quantiles of its own ratios and at its bands, each with another fee. */
  function compareAll(pairs: readonly (readonly [string, string])[]): number {
    const records = new Map(pairs.flat().map((coin) => [coin, realRecords(coin)]))
    const now = realSeries('bitcoin', '5m').times.at(-1)!
    let compared = 0
    for (const [coinA, coinB] of pairs) {
      for (const period of PERIODS) {
        const a = records.get(coinA)!
        const b = records.get(coinB)!
        const chart = computeChart({ a, b, period, now, live: null })
        if (chart.kind !== 'ready') throw new Error(`${coinA}/${coinB} ${period}: ${chart.kind}`)
        const { times, ratio: ratios, upper, lower } = chart.columns
        const sorted = ratios.toSorted()
        const paid = [0, 0.002, 0.01][compared % 3]!
        const [high, low] = [quantile(sorted, 0.9), quantile(sorted, 0.15)]
        expectSimulated(times, ratios, { kind: 'thresholds', high, low }, paid)
        expectSimulated(times, ratios, { kind: 'bands', high: upper, low: lower }, paid)
        compared += 2
      }
    }
    return compared
  }
  test('backtests of every twentieth real pair over every period equal the simulation', () => {
    const pairs = realPairs().filter((_, index) => index % 20 === 7)
    expect(compareAll(pairs)).toBe(pairs.length * 10)
  })

  test('backtests of all real pairs over every period equal the simulation', { tags: ['full'] }, () => {
    expect(compareAll(realPairs())).toBe(29 * 28 * 5 * 2)
  })
})
