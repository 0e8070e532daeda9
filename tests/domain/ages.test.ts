import { expect, it } from 'vitest'
import { agedMatrix, agedPair, agedStanding, ageOf, isLiveAt } from '../../src/domain/ages'
import { type DailyMatrix, dayEnd } from '../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { pairColumns } from '../../src/domain/pair-columns'
import { pairStatistics, STATISTIC_WINDOWS } from '../../src/domain/pair-statistics'
import { expectRows } from '../support/expect-rows'

const [A, B] = ['a', 'b'] as CoinId[]
const LAST_DAY = 20_000
const END = dayEnd(LAST_DAY)
const DAYS = 100

/** A rises by one a day up to 199, B stays at 1. */
const matrix: DailyMatrix = {
  source: 'made-up',
  firstDay: LAST_DAY - DAYS + 1,
  days: DAYS,
  ranked: 2,
  coins: [B!, A!],
  prices: Float32Array.from([...Array(DAYS).fill(1), ...Array.from({ length: DAYS }, (_, day) => 100 + day)]),
}
const NINETY = STATISTIC_WINDOWS.indexOf(90)
const live = (time: number, ratio = 300) => ({ providerTime: time, priceA: ratio, priceB: 1, source: 'made-up' })
const pairAt = (price: number, now = price) => agedPair(matrix, A!, B!, live(price), now)!
const standingAt = (price: number, now = price) => agedStanding(matrix, A!, B!, live(price), now)

it('a price is live for 15 minutes', () =>
  expectRows(
    (age: number) => [isLiveAt(END, END + age), ageOf(matrix, END, END + age).isLive],
    [
      [15 * MINUTE, [true, true]],
      [15 * MINUTE + 1, [false, false]],
      [-HOUR, [true, true]],
    ],
  ))

it('the window is the 90 days before the price’s day, of which ten are missing ten days after the last close', () => {
  const { closes, current } = pairAt(END + 10 * DAY)
  expect(pairStatistics(closes, current)[NINETY]).toMatchObject({ window: 90, days: 80, percentile: 1 })
  expect(pairAt(END + 10 * DAY, END + 10 * DAY + HOUR).age.isLive).toBe(false)
  expect(standingAt(END + 10 * DAY)).toEqual({ standing: null, closesAge: 10 })
})

it('a price from before the last close is not compared: that close stands in for it', () => {
  const { age, closes, current } = pairAt(END - 3 * DAY, END)
  expect([age.pricedAt, age.isLive, current.a / current.b]).toEqual([null, false, 199])
  expect(closes.a).toHaveLength(DAYS - 1)
  expect(standingAt(END - 3 * DAY, END).standing).toMatchObject({ percentile: 1, closesTo: LAST_DAY })
})

it('closes name an extreme until they are two days behind, and a place until they are more than seven', () =>
  expectRows(
    (behind: number) => {
      const { standing, closesAge } = standingAt(END + behind * DAY)
      return [standing?.extreme, standing?.closesTo, standing?.days, closesAge]
    },
    [
      [0, ['high', null, 90, null]],
      [1, ['high', null, 89, null]],
      [2, [null, LAST_DAY, 88, 2]],
      [7, [null, LAST_DAY, 83, 7]],
      [8, [undefined, undefined, undefined, 8]],
    ],
  ))

it('old closes are as old beside a price as old as they are', () => {
  expect(standingAt(END, END + 3 * DAY).standing).toMatchObject({ days: 90, extreme: null, closesTo: LAST_DAY })
  expect(standingAt(END, END + 9 * DAY)).toEqual({ standing: null, closesAge: 9 })
})

it('the columns of all pairs have the days of each pair’s own figures across a gap, and end with the last close without a price', () => {
  const aged = agedMatrix(matrix, pairAt(END + 3 * DAY).age)
  const columns = (prices: readonly number[]) => pairColumns(aged, Float64Array.from(prices), DAYS - 1)
  expect(columns([1, 300]).windows[NINETY]!.days[0]).toBe(87)
  const closed = columns([1, NaN])
  expect([closed.ratio[0], closed.live[0], closed.windows[NINETY]!.days[0]]).toEqual([199, 0, 90])
  expect(agedMatrix(matrix, ageOf(matrix, null, END + 9 * DAY)).prices.every(Number.isNaN)).toBe(true)
})

it('among all pairs, the window of one is the days before its own older price, and not before the newest price of any coin', () => {
  const aged = agedMatrix(matrix, pairAt(END + 5 * DAY).age)
  const found = pairColumns(aged, Float64Array.of(1, 300), DAYS - 1, (row) => [5, 2][row]!).windows[NINETY]!
  const { closes, current } = pairAt(END + 2 * DAY)
  const own = pairStatistics(closes, current)[NINETY]!
  expect(own.days).toBe(88)
  expect([found.days[0], found.z[0]]).toEqual([88, own.z])
})
