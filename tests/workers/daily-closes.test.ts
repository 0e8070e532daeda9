import { expect, test } from 'vitest'
import { writeMeta } from '../../src/db/database'
import { type DailyMatrix, dayEnd, encodeDailyMatrix, utcDayOf } from '../../src/domain/daily-matrix'
import { DAY, HOUR } from '../../src/domain/granularity'
import type { Period } from '../../src/domain/chart-periods'
import type { CoinId } from '../../src/domain/ids'
import type { ChanceRequest } from '../../workers/api'
import { withWorker } from './support/open-worker'
import { COIN_A, COIN_B, storeHistory, storePoll } from './support/store-pair'

const NOW = Date.UTC(2026, 10, 21, 12, 7)
const OTHER = 'other' as CoinId
const DAYS = 100
const LAST_DAY = utcDayOf(NOW) - 1
const PAIR = { coinA: COIN_A, coinB: COIN_B }

const worker = withWorker()

/** Closes by coin, oldest first; a coin without a list is not in the matrix. */
async function storeCloses(
  closes: Readonly<Record<string, readonly number[]>>,
  {
    ranked = 0,
    source = 'simulated',
    ...marks
  }: Partial<Pick<DailyMatrix, 'ranked' | 'source' | 'leftOut' | 'kinds' | 'frozenSince'>> = {},
) {
  const coins = Object.keys(closes) as CoinId[]
  const prices = Float32Array.from(coins.flatMap((coin) => closes[coin]!))
  await worker.db.daily_closes.put({
    key: 'usd',
    source: source as 'simulated',
    matrix: encodeDailyMatrix({ source, firstDay: LAST_DAY - DAYS + 1, days: DAYS, ranked, coins, prices, ...marks }),
    etag: null,
    last_day: LAST_DAY,
    fetched_at: NOW - HOUR,
  })
}

const rising = Array.from({ length: DAYS }, (_, day) => 100 + day)
const swinging = Array.from({ length: DAYS }, (_, day) => 100 + 10 * Math.sin(day / 5))
const flat = rising.map(() => 50)

test('a pair without any history is drawn from its daily closes, and says so', async () => {
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat })
  const chart = await worker.api.chart({ ...PAIR, period: '3m', now: NOW })
  if (chart.kind !== 'ready') throw new Error(chart.kind)
  expect(chart).toMatchObject({ basis: 'part', hasCloses: true })
  expect(chart.fetchedAt).toBe(NOW - HOUR)
  expect(chart.times.at(-1)).toBe(dayEnd(LAST_DAY))
  expect(chart.ratio.at(-1)).toBeCloseTo(199 / 50, 6)
  expect(chart.times).toHaveLength(91)
})

test('stored history is preferred to daily closes', async () => {
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat })
  const hours = (price: number) =>
    Array.from({ length: 24 * 40 }, (_, hour): [number, number] => [NOW - (24 * 40 - hour) * HOUR, price])
  await storeHistory(worker.db, COIN_A, { hourly: hours(9) })
  await storeHistory(worker.db, COIN_B, { hourly: hours(3) })
  expect(await worker.api.chart({ ...PAIR, period: '1m', now: NOW })).toMatchObject({
    basis: 'period',
    hasCloses: false,
  })
})

const days = (count: number, last = NOW): [number, number][] =>
  Array.from({ length: count }, (_, day) => [Math.floor(last / DAY - count + 1 + day) * DAY, 120])

/** The server has answered for the coins in this period. */
const noteFetched = (period: Period, ...coins: readonly CoinId[]) =>
  worker.db.history_fetches.bulkPut(
    coins.map((coin_id) => ({ coin_id, period, attempted_at: NOW, fetched_at: NOW, etag: null })),
  )

test('a year of which only another period’s days are stored is drawn from the daily closes, and is not yet the year’s own', async () => {
  await storeHistory(worker.db, COIN_A, { hourly: [[NOW - HOUR, 120]], daily: days(8) })
  await storeHistory(worker.db, COIN_B, { hourly: [[NOW - HOUR, 60]], daily: days(8) })
  const chart = async (period: Period) => {
    const answer = await worker.api.chart({ ...PAIR, period, now: NOW })
    if (answer.kind !== 'ready') throw new Error(answer.kind)
    return { basis: answer.basis, hasCloses: answer.hasCloses, points: answer.times.length }
  }
  expect(await chart('1y')).toEqual({ basis: 'part', hasCloses: false, points: 8 })
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat })
  expect(await chart('1y')).toEqual({ basis: 'closes', hasCloses: true, points: DAYS })
  expect((await chart('3m')).basis).toBe('part')
  // The server says that there is no more.
  await noteFetched('1y', COIN_A, COIN_B)
  expect(await chart('1y')).toEqual({ basis: 'period', hasCloses: false, points: 8 })
})

test('a period’s own data with a hole that is wider than its average is preliminary', async () => {
  const hours = (until: number) =>
    Array.from({ length: 24 * 34 }, (_, hour): [number, number] => [until - hour * HOUR, 9])
  const withHole = hours(NOW).filter(([time]) => time < NOW - 6 * DAY || time > NOW - 2 * DAY)
  await storeHistory(worker.db, COIN_A, { hourly: withHole.toReversed() })
  await storeHistory(worker.db, COIN_B, { hourly: hours(NOW).toReversed() })
  await noteFetched('1m', COIN_A, COIN_B)
  expect(await worker.api.chart({ ...PAIR, period: '1m', now: NOW })).toMatchObject({ basis: 'part' })
  await storeHistory(worker.db, COIN_A, { hourly: hours(NOW).toReversed() })
  expect(await worker.api.chart({ ...PAIR, period: '1m', now: NOW })).toMatchObject({ basis: 'period' })
})

test('closes of one source are not mixed with prices of another', async () => {
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat }, { source: 'coingecko' })
  await storePoll(worker.db, { time: NOW, priceA: 9, priceB: 3 })
  expect((await worker.api.chart({ ...PAIR, period: '1y', now: NOW })).kind).toBe('error')
  expect(await worker.api.radar({ ranked: 100, own: [COIN_A, COIN_B] }, NOW)).toEqual({ kind: 'none' })
})

test('radar has the pairs of as many of the best coins as are asked for, and of the own coins beyond them', async () => {
  await storeCloses({ [COIN_A]: rising, [OTHER]: swinging, [COIN_B]: flat }, { ranked: 2 })
  const coinsOf = async (ranked: number, own: readonly CoinId[]) => {
    const answer = await worker.api.radar({ ranked, own }, NOW)
    if (answer.kind !== 'ready') throw new Error(answer.kind)
    return [answer.coins, answer.ranked, answer.a.length]
  }
  expect(await coinsOf(100, [])).toEqual([[COIN_A, OTHER], 2, 1])
  expect(await coinsOf(1, [COIN_B])).toEqual([[COIN_A, COIN_B], 1, 1])
  expect(await coinsOf(100, [COIN_B])).toEqual([[COIN_A, OTHER, COIN_B], 2, 3])
})

test('radar says of the coins asked for, which are not all of the matrix, what each stands for and which has no trading', async () => {
  const regained = rising.map((_, day) => (day < 50 ? 40 : 50))
  await storeCloses(
    { [COIN_A]: flat, [OTHER]: swinging, [COIN_B]: regained },
    {
      ranked: 1,
      kinds: new Map([
        [0, 'usd'],
        [2, 'usd'],
      ]),
      frozenSince: new Map([[2, LAST_DAY - 9]]),
    },
  )
  expect(await worker.api.radar({ ranked: 1, own: [COIN_B] }, NOW)).toMatchObject({
    coins: [COIN_A, COIN_B],
    money: Uint16Array.of(0, 0),
    frozenSince: new Map([[1, LAST_DAY - 9]]),
  })
})

test('a pair is measured in the coin that stands first, at current prices where both are known, else at the last close', async () => {
  await storeCloses({ [COIN_A]: flat, [COIN_B]: rising, [OTHER]: swinging }, { ranked: 3 })
  await storePoll(worker.db, { time: NOW, priceA: 50, priceB: 300 })
  const answer = await worker.api.radar({ ranked: 3, own: [] }, NOW)
  if (answer.kind !== 'ready') throw new Error(answer.kind)
  const pairs = [...answer.a.keys()].map((pair) => ({
    pair: `${answer.coins[answer.a[pair]!]}/${answer.coins[answer.b[pair]!]}`,
    ratio: answer.ratio[pair],
    live: answer.live[pair],
  }))
  expect(pairs).toEqual([
    { pair: `${COIN_B}/${COIN_A}`, ratio: 6, live: 1 },
    { pair: `${OTHER}/${COIN_A}`, ratio: expect.closeTo(swinging.at(-1)! / 50, 5), live: 0 },
    { pair: `${OTHER}/${COIN_B}`, ratio: expect.closeTo(swinging.at(-1)! / 199, 5), live: 0 },
  ])
  expect(answer).toMatchObject({ firstDay: LAST_DAY - DAYS + 1, days: DAYS, fetchedAt: NOW - HOUR })
  expect(answer.windows[1]!.percentile[0]).toBe(1)
})

test('the report of a pair counts its common days and says whether its ratio is the current one', async () => {
  await storeCloses({ [COIN_A]: swinging.map((price, day) => (day < 10 ? NaN : price)), [COIN_B]: flat })
  const closed = await worker.api.pairReport(PAIR, NOW)
  expect(closed).toMatchObject({ isLive: false, lastDay: LAST_DAY, commonDays: 89 })
  expect(closed!.ratio).toBeCloseTo(swinging.at(-1)! / 50, 5)
  await storePoll(worker.db, { time: NOW, priceA: 120, priceB: 50 })
  const live = await worker.api.pairReport(PAIR, NOW)
  expect(live).toMatchObject({ isLive: true, ratio: 2.4, commonDays: 90 })
  expect(live!.windows.map(({ leftOut }) => leftOut)).toEqual([0, 0, 0, 0])
  expect(live!.windows.map(({ window, percentile }) => [window, percentile])).toEqual([
    [30, 1],
    [90, 1],
    [180, 1],
    [365, 1],
  ])
})

test('the report of a pair counts the closes of both coins that the server has left out, window by window', async () => {
  const leftOut = new Map([
    [0, [DAYS - 90, DAYS - 31, DAYS - 5]],
    [1, [DAYS - 30]],
  ])
  await storeCloses({ [COIN_A]: swinging, [COIN_B]: flat }, { leftOut })
  const closed = await worker.api.pairReport(PAIR, NOW)
  await storePoll(worker.db, { time: NOW, priceA: 120, priceB: 50 })
  const live = await worker.api.pairReport(PAIR, NOW)
  // The last close stands for the current ratio where there is none, so that the window reaches a day further back.
  expect(closed!.windows.map(({ leftOut }) => leftOut)).toEqual([3, 4, 4, 4])
  expect(live!.windows.map(({ leftOut }) => leftOut)).toEqual([2, 4, 4, 4])
})

test('the ratios of 90 days are hourly where both histories reach so far back, else those of daily closes', async () => {
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat })
  await storePoll(worker.db, { time: NOW, priceA: 300, priceB: 50 })
  const daily = await worker.api.ratioHistory(PAIR, 90, NOW)
  expect(daily).toMatchObject({ spacing: DAY })
  expect([daily!.times.length, daily!.ratios.at(-1)]).toEqual([91, 6])

  const hours = (count: number, price: number) =>
    Array.from({ length: count }, (_, hour): [number, number] => [NOW - (count - hour) * HOUR, price])
  await storeHistory(worker.db, COIN_A, { hourly: hours(24 * 9, 9) })
  await storeHistory(worker.db, COIN_B, { hourly: hours(24 * 9, 3) })
  expect(await worker.api.ratioHistory(PAIR, 90, NOW)).toMatchObject({ spacing: DAY })
  await storeHistory(worker.db, COIN_A, { hourly: hours(24 * 98, 9) })
  await storeHistory(worker.db, COIN_B, { hourly: hours(24 * 98, 3) })
  const hourly = await worker.api.ratioHistory(PAIR, 90, NOW)
  expect(hourly).toMatchObject({ spacing: HOUR })
  expect(hourly!.times.length).toBeGreaterThan(2_100)
})

test('the summary of a pair has its place among 90 daily closes, and none without closes or a price', async () => {
  const standing = async () => (await worker.api.summaries([PAIR], NOW))[0]!.standing
  await storePoll(worker.db, { time: NOW, priceA: 300, priceB: 50 })
  expect(await standing()).toBeNull()
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat })
  expect(await standing()).toMatchObject({ days: 90, percentile: 1, median: expect.closeTo(154.5 / 50, 5) })
})

test('by the server’s clock, closes that are two days behind name no extreme, and more than seven days no place', async () => {
  await storeCloses({ [COIN_A]: rising, [COIN_B]: flat })
  const at = async (days: number) => {
    const now = NOW + days * DAY
    await storePoll(worker.db, { time: now, priceA: 300, priceB: 50 })
    const [summary] = await worker.api.summaries([PAIR], now + DAY)
    const report = await worker.api.pairReport(PAIR, now + DAY)
    return [summary!.closesAge, summary!.standing?.extreme, report!.isLive, report!.closesAge, report!.windows[1]!.days]
  }
  await writeMeta(worker.db, 'server_clock', { ahead: DAY })
  expect(await at(0)).toEqual([null, 'high', true, null, 90])
  expect(await at(3)).toEqual([3, null, true, null, 87])
  expect(await at(9)).toEqual([9, undefined, true, 9, 0])
})

test('radar compares no price from before the last close, and none of its pairs once the closes are too old', async () => {
  await storeCloses({ [COIN_A]: flat, [COIN_B]: rising }, { ranked: 2 })
  const answer = async (price: number, now: number) => {
    await storePoll(worker.db, { time: price, priceA: 50, priceB: 300 })
    const found = await worker.api.radar({ ranked: 2, own: [] }, now)
    if (found.kind !== 'ready') throw new Error(found.kind)
    return [found.live[0], found.ratio[0], found.windows[1]!.days[0], found.age.closes]
  }
  expect(await answer(NOW - 3 * DAY, NOW)).toEqual([0, expect.closeTo(199 / 50, 5), 90, 'newest'])
  expect(await answer(NOW, NOW)).toEqual([1, 6, 90, 'newest'])
  expect(await answer(NOW + 3 * DAY, NOW + 3 * DAY)).toEqual([1, 6, 87, 'behind'])
  expect(await answer(NOW + 9 * DAY, NOW + 9 * DAY)).toEqual([1, 6, 0, 'too old'])
})

/** Coins that wander apart, and the question about all their pairs. */
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, coin) => [
    `coin-${coin}`,
    Array.from({ length: DAYS }, (_, day) => 100 + ((7 * day * (coin + 3)) % 97)),
  ]),
)
const coins = Object.keys(many) as CoinId[]
const allPairs = coins.flatMap((_, a) => Array.from({ length: a }, (_, b) => [a, b] as const))
const chanceRequest = (line: 'deviations' | 'extreme' = 'deviations'): ChanceRequest => ({
  coins,
  a: allPairs.map(([a]) => a),
  b: allPairs.map(([, b]) => b),
  window: 90,
  line,
})

test('other questions are answered while the worker counts how many pairs chance puts beyond the line', async () => {
  await storeCloses({ ...many, [COIN_A]: rising, [COIN_B]: flat })
  const answered: string[] = []
  const asked = worker.api.chance(chanceRequest())
  await Promise.all([
    asked.then(() => answered.push('chance')),
    worker.api.pairReport(PAIR, NOW).then(() => answered.push('report')),
  ])
  const found = await asked
  expect(answered).toEqual(['report', 'chance'])
  expect(found!.low).toBeLessThanOrEqual(found!.median)
  expect(found!.high).toBeGreaterThanOrEqual(found!.median)
  expect(await worker.api.chance(chanceRequest())).toEqual(found)
})

test('a newer question about the same line ends the count of the one before it, one about another line does not', async () => {
  await storeCloses(many)
  const asked = [chanceRequest(), chanceRequest('extreme'), chanceRequest()].map((one) => worker.api.chance(one))
  const found = await Promise.all(asked)
  expect(found.map((one) => one !== null)).toEqual([false, true, true])
})

test('without stored closes there is no radar, and nothing is said of chance or of a pair of which a coin has none', async () => {
  expect(await worker.api.radar({ ranked: 100, own: [] }, NOW)).toEqual({ kind: 'none' })
  expect(await worker.api.chance(chanceRequest())).toBeNull()
  expect(await worker.api.ratioHistory(PAIR, 90, NOW)).toBeNull()
  await storeCloses({ [COIN_A]: rising })
  expect(await worker.api.pairReport(PAIR, NOW)).toBeNull()
})
