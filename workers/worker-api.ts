import { type LocalDatabase, readPrices } from '../src/db/database'
import { isSound, type LevelSeries, readHistory, writeAggregated } from '../src/db/history-rows'
import { isStorageFull } from '../src/db/quota-eviction'
import type { PricesRow } from '../src/db/rows'
import { readTickSeries } from '../src/db/write-prices'
import { foldLevels, type Level } from '../src/domain/aggregation'
import { toError } from '../src/domain/error-message'
import { BUCKET_MS, GRANULARITIES, type Granularity } from '../src/domain/granularity'
import type { CoinId } from '../src/domain/ids'
import { TICK_BUFFER, withHeldPrice } from '../src/domain/live-prices'
import { answerChart, answerCsv, answerRatioHistory, answerSummaries } from './answers'
import type { WorkerApi } from './api'
import { chanceAnswers } from './chance'
import { answerPairReport, answerRadar } from './radar'
import { answerPairsWalk, answerWalk } from './walk'

/** The calls of the web worker over one connection to the local database. */
export function workerApi(db: LocalDatabase): WorkerApi {
  const answerChance = chanceAnswers(db)
  return {
    chart: (request) => withRootCause(answerChart(db, request)),
    csv: (request) => withRootCause(answerCsv(db, request)),
    summaries: (pairs, now) => withRootCause(answerSummaries(db, pairs, now)),
    radar: (request, now) => withRootCause(answerRadar(db, request, now)),
    chance: (request) => withRootCause(answerChance(request)),
    pairReport: (pair, now) => withRootCause(answerPairReport(db, pair, now)),
    ratioHistory: (pair, days, now) => withRootCause(answerRatioHistory(db, pair, days, now)),
    walk: (request) => withRootCause(answerWalk(db, request)),
    walkPairs: (rule, onSlice) => withRootCause(answerPairsWalk(db, rule, onSlice)),
    aggregate: (now) => withRootCause(aggregateTicks(db, now)),
  }
}

/** Rejects with the root cause; the worker lives on. */
const withRootCause = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw rootCause(error)
  })

/**
 * The innermost error. Only name, message and stack of an error reach the page, and a transaction that failed for want of
 * space is an "AbortError" with the reason inside.
 */
export function rootCause(error: unknown): Error {
  let innermost: unknown = error
  const seen = new Set<unknown>()
  while (innermost instanceof Error && !seen.has(innermost)) {
    seen.add(innermost)
    const inner = (innermost as Error & { readonly inner?: unknown }).inner ?? innermost.cause
    if (!(inner instanceof Error)) return innermost
    innermost = inner
  }
  return toError(innermost)
}

/**
 * Folds every coin's ticks into its four history levels. After a coin's failure the others go on, except for want of
 * space, which they would lack as well; the first failure is thrown at the end.
 * @param now milliseconds
 */
async function aggregateTicks(db: LocalDatabase, now: number): Promise<void> {
  const prices = await readPrices(db)
  if (prices === undefined) return
  const coins = (await db.ticks.orderBy('coin_id').uniqueKeys()) as CoinId[]
  const failures: unknown[] = []
  for (const coin of coins) {
    try {
      const changed = await foldCoin(db, coin, prices, now)
      if (changed.length > 0) await writeAggregated(db, changed, now)
    } catch (error) {
      failures.push(error)
      if (isStorageFull(error)) break
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function foldCoin(db: LocalDatabase, coin: CoinId, prices: PricesRow, now: number): Promise<LevelSeries[]> {
  const own = await readTickSeries(db, coin, now - TICK_BUFFER, Infinity)
  const price = prices.prices[coin]
  const ticks = price === undefined ? own : withHeldPrice(own, price, BUCKET_MS.fiveMinutely)
  const levels: Partial<Record<Granularity, Level>> = {}
  for (const granularity of GRANULARITIES) {
    const row = await readHistory(db, coin, granularity)
    if (row === undefined || row.source !== prices.source) continue
    if (!isSound(row)) throw new Error(`The history record ${row.id} is damaged.`)
    levels[granularity] = { series: row, serverUntil: row.server_until }
  }
  const changed = foldLevels(ticks, levels, now)
  return GRANULARITIES.filter((granularity) => changed[granularity].times.length > 0).map((granularity) => ({
    coin,
    granularity,
    source: prices.source,
    series: changed[granularity],
  }))
}
