import { transfer } from 'comlink'
import { type LocalDatabase, readPrices } from '../src/db/database'
import { readDailyMatrix, type StoredMatrix } from '../src/db/queries/daily-closes'
import type { PricesRow } from '../src/db/rows'
import { readClockAhead } from '../src/db/server-clock'
import { agedMatrix, agedPair, ageOf } from '../src/domain/ages'
import { closesOf, type DailyMatrix } from '../src/domain/daily-matrix'
import { excursionsOf } from '../src/domain/excursions'
import type { CoinId } from '../src/domain/ids'
import { livePricesOf } from '../src/domain/live-prices'
import { sameMoney } from '../src/domain/same-money'
import { pairColumns } from '../src/domain/pair-columns'
import { pairStatistics } from '../src/domain/pair-statistics'
import { buffersOf } from './answers'
import type { PairIds, PairReport, RadarAnswer, RadarRequest } from './api'

interface Market {
  readonly stored: StoredMatrix | null
  readonly prices: PricesRow | undefined
  readonly clockAhead: number
}

/** The stored matrix with the prices that belong to it, read in one transaction. */
const readMarket = (db: LocalDatabase): Promise<Market> =>
  db.transaction('r', [db.prices, db.daily_closes, db.meta], async () => {
    const prices = await readPrices(db)
    return { stored: await readDailyMatrix(db, prices), prices, clockAhead: await readClockAhead(db) }
  })

/** All pairs of the coins that the request names. */
export async function answerRadar(db: LocalDatabase, request: RadarRequest, now: number): Promise<RadarAnswer> {
  const { stored, prices, clockAhead } = await readMarket(db)
  if (stored === null) return { kind: 'none' }
  const matrix = withCoins(stored.matrix, request)
  const { coins, ranked, firstDay, days, prices: closes } = matrix
  const ages = coins.map((coin) => ageOf(matrix, prices?.prices[coin]?.provider_time ?? null, now - clockAhead))
  const pricedAt = Float64Array.from(ages, (age) => age.pricedAt ?? NaN)
  const newest = pricedAt.reduce((latest, at) => (at > latest ? at : latest), -Infinity)
  const age = ageOf(matrix, newest, now - clockAhead)
  const current = Float64Array.from(coins, (coin, row) => (pricedAt[row]! > 0 ? prices!.prices[coin]!.usd : NaN))
  const columns = pairColumns(agedMatrix(matrix, age), current, days - 1, (row) => ages[row]!.gap)
  const money = sameMoney(columns, coins.length, matrix.kinds)
  const answer: RadarAnswer = {
    kind: 'ready',
    ...columns,
    firstDay,
    days,
    fetchedAt: stored.fetchedAt,
    age,
    pricedAt,
    clockAhead,
    coins,
    ranked,
    closes,
    money,
    frozenSince: matrix.frozenSince ?? new Map<number, number>(),
  }
  const { a, b, ratio, live, windows } = columns
  return transfer(
    answer,
    buffersOf([closes, money, pricedAt, a, b, ratio, live, ...windows.flatMap((window) => Object.values(window))]),
  )
}

/** The matrix of the best coins and of the user's own alone, with a buffer of its own. */
function withCoins(matrix: DailyMatrix, { ranked, own }: RadarRequest): DailyMatrix {
  const rows = [...matrix.coins.keys()].filter(
    (row) => row < Math.min(ranked, matrix.ranked) || own.includes(matrix.coins[row]!),
  )
  const prices = new Float32Array(rows.length * matrix.days)
  for (const [index, row] of rows.entries()) prices.set(closesOf(matrix, row), index * matrix.days)
  const kept = <V>(byRow: ReadonlyMap<number, V> | undefined): ReadonlyMap<number, V> =>
    new Map(rows.flatMap((row, index) => (byRow?.has(row) === true ? [[index, byRow.get(row)!]] : [])))
  return {
    ...matrix,
    kinds: kept(matrix.kinds),
    leftOut: kept(matrix.leftOut),
    frozenSince: kept(matrix.frozenSince),
    ranked: Math.min(ranked, matrix.ranked),
    coins: rows.map((row): CoinId => matrix.coins[row]!),
    prices,
  }
}

/** One pair in every window, with the ends of its excursions; null: the matrix lacks a coin. */
export async function answerPairReport(
  db: LocalDatabase,
  { coinA, coinB }: PairIds,
  now: number,
): Promise<PairReport | null> {
  const { stored, prices, clockAhead } = await readMarket(db)
  const live = livePricesOf(prices, coinA, coinB)
  const pair = stored && agedPair(stored.matrix, coinA, coinB, live, now - clockAhead)
  if (stored === null || pair === null) return null
  const { age, current } = pair
  const closes = age.closes === 'too old' ? { a: [], b: [] } : pair.closes
  const { firstDay, days, coins, leftOut } = stored.matrix
  const wrong = [coinA, coinB].flatMap((coin) => leftOut?.get(coins.indexOf(coin)) ?? [])
  const common = Array.from(closes.a, (price, day) => price / closes.b[day]!).filter(Number.isFinite)
  return {
    ratio: current.a / current.b,
    isLive: age.isLive,
    pricedAt: age.pricedAt,
    closesAge: age.closes === 'too old' ? age.daysBehind : null,
    lastDay: firstDay + days - 1,
    commonDays: common.length,
    windows: pairStatistics(closes, current).map((statistics) => ({
      ...statistics,
      leftOut: wrong.filter((day) => day < closes.a.length && day >= closes.a.length - statistics.window).length,
      highs: excursionsOf(closes, current, statistics.window, 'high'),
      lows: excursionsOf(closes, current, statistics.window, 'low'),
    })),
  }
}
