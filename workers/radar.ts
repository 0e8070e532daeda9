import { transfer } from 'comlink'
import { type LocalDatabase, readPrices } from '../src/db/database'
import { readDailyMatrix, type StoredMatrix } from '../src/db/queries/daily-closes'
import type { PricesRow } from '../src/db/rows'
import { closesOf, type DailyMatrix } from '../src/domain/daily-matrix'
import { excursionsOf } from '../src/domain/excursions'
import type { CoinId } from '../src/domain/ids'
import { sameMoney } from '../src/domain/same-money'
import { endingWithClose, pairColumns } from '../src/domain/pair-columns'
import { pairCloses, pairStatistics } from '../src/domain/pair-statistics'
import { buffersOf } from './answers'
import type { PairIds, PairReport, RadarAnswer, RadarRequest } from './api'

/** The stored matrix with the prices that belong to it, read in one transaction. */
const readMarket = (
  db: LocalDatabase,
): Promise<{ readonly stored: StoredMatrix | null; readonly prices: PricesRow | undefined }> =>
  db.transaction('r', [db.prices, db.daily_closes], async () => {
    const prices = await readPrices(db)
    return { stored: await readDailyMatrix(db, prices), prices }
  })

/** All pairs of the coins that the request names. */
export async function answerRadar(db: LocalDatabase, request: RadarRequest): Promise<RadarAnswer> {
  const { stored, prices } = await readMarket(db)
  if (stored === null) return { kind: 'none' }
  const matrix = withCoins(stored.matrix, request)
  const { coins, ranked, firstDay, days, prices: closes } = matrix
  const columns = pairColumns(
    matrix,
    Float64Array.from(coins, (coin) => prices?.prices[coin]?.usd ?? NaN),
  )
  const money = sameMoney(columns, coins.length, matrix.kinds)
  const answer: RadarAnswer = {
    kind: 'ready',
    ...columns,
    firstDay,
    days,
    fetchedAt: stored.fetchedAt,
    coins,
    ranked,
    closes,
    money,
    frozenSince: matrix.frozenSince ?? new Map<number, number>(),
  }
  const { a, b, ratio, live, windows } = columns
  return transfer(
    answer,
    buffersOf([closes, money, a, b, ratio, live, ...windows.flatMap((window) => Object.values(window))]),
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
export async function answerPairReport(db: LocalDatabase, { coinA, coinB }: PairIds): Promise<PairReport | null> {
  const { stored, prices } = await readMarket(db)
  const whole = stored && pairCloses(stored.matrix, coinA, coinB)
  if (stored === null || whole === null) return null
  const { firstDay, days, coins, leftOut } = stored.matrix
  const wrong = [coinA, coinB].flatMap((coin) => leftOut?.get(coins.indexOf(coin)) ?? [])
  const [a, b] = [prices?.prices[coinA]?.usd ?? NaN, prices?.prices[coinB]?.usd ?? NaN]
  const isLive = a > 0 && b > 0
  const { closes, current } = isLive ? { closes: whole, current: { a, b } } : endingWithClose(whole)
  const common = Array.from(closes.a, (price, day) => price / closes.b[day]!).filter(Number.isFinite)
  return {
    ratio: current.a / current.b,
    isLive,
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
