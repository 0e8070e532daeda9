import { transfer } from 'comlink'
import type { LocalDatabase } from '../src/db/database'
import { readPrices } from '../src/db/queries/prices'
import type { PricesRow } from '../src/db/rows'
import { computeChart, type LivePrices } from '../src/domain/chart'
import { PERIOD_RULES } from '../src/domain/period'
import type { ChartAnswer, ChartRequest, PairIds } from './api'
import { buffersOf } from './buffers'
import { fetchedAt, readRows, recordsOf } from './history-records'

/** The chart of a pair from what the local database holds, read in one transaction. */
export async function answerChart(db: LocalDatabase, request: ChartRequest): Promise<ChartAnswer> {
  const { coinA, coinB, period, now } = request
  const { rowsA, rowsB, prices } = await db.transaction('r', [db.history, db.prices], async () => {
    const prices = await readPrices(db)
    const [rowsA = [], rowsB = []] = await readRows(db, [coinA, coinB], prices)
    return { rowsA, rowsB, prices }
  })

  const result = computeChart({ a: recordsOf(rowsA), b: recordsOf(rowsB), period, now, live: liveOf(prices, request) })
  if (result.kind !== 'ready') return result
  const { ratios, ...columns } = result.columns
  const granularity = PERIOD_RULES[period].granularity
  const answer: ChartAnswer = {
    kind: 'ready',
    ratio: ratios,
    ...columns,
    fetchedAt: Math.min(fetchedAt(rowsA, granularity), fetchedAt(rowsB, granularity)),
  }
  return transfer(answer, buffersOf([columns.times, ratios, columns.ema, columns.upper, columns.lower]))
}

/** Both prices, as of the last poll that confirmed the two. */
function liveOf(prices: PricesRow | undefined, { coinA, coinB }: PairIds): LivePrices | null {
  const a = prices?.prices[coinA]
  const b = prices?.prices[coinB]
  if (a === undefined || b === undefined) return null
  return { time: Math.min(a.seen_until, b.seen_until), priceA: a.usd, priceB: b.usd }
}
