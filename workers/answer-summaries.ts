import { transfer } from 'comlink'
import type { LocalDatabase } from '../src/db/database'
import { readHistory } from '../src/db/queries/history'
import { readPrices } from '../src/db/queries/prices'
import { readTickSeries } from '../src/db/queries/ticks'
import type { PricesRow } from '../src/db/rows'
import { isSound } from '../src/db/sound-history'
import { DAY, HOUR } from '../src/domain/granularity'
import type { CoinId } from '../src/domain/ids'
import { type CoinDay, summarize } from '../src/domain/pair-summary'
import { emptySeries } from '../src/domain/series'
import type { PairIds, PairSummary } from './api'
import { buffersOf } from './buffers'

/** What a summary needs before the day that it shows. */
const MARGIN = HOUR

/** What the cards show of the last day; each coin is read once, however many pairs it is in. */
export async function answerSummaries(
  db: LocalDatabase,
  pairs: readonly PairIds[],
  now: number,
): Promise<PairSummary[]> {
  const coins = [...new Set(pairs.flatMap(({ coinA, coinB }) => [coinA, coinB]))]
  const days = await db.transaction('r', [db.prices, db.ticks, db.history], async () => {
    const prices = await readPrices(db)
    return new Map(await Promise.all(coins.map(async (coin) => [coin, await readDay(db, coin, prices, now)] as const)))
  })
  const summaries = pairs.map(({ coinA, coinB }): PairSummary => {
    const { change24h, trend, spark } = summarize(days.get(coinA)!, days.get(coinB)!, now)
    return { coinA, coinB, change24h, trend, sparkTimes: spark.times, spark: spark.ratios }
  })
  return transfer(summaries, buffersOf(summaries.flatMap(({ sparkTimes, spark }) => [sparkTimes, spark])))
}

async function readDay(db: LocalDatabase, coin: CoinId, prices: PricesRow | undefined, now: number): Promise<CoinDay> {
  const price = prices?.prices[coin]
  // After days offline the day before the last known price is shown, not an empty one.
  const at = Math.min(now, price?.seen_until ?? now)
  const ticks = await readTickSeries(db, coin, at - DAY - MARGIN, Infinity)
  const row = await readHistory(db, coin, 'fiveMinutely')
  const usable = row !== undefined && isSound(row) && (prices === undefined || row.source === prices.source)
  return { price, ticks, history: usable ? row : emptySeries() }
}
