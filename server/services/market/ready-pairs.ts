import type { ReadyPairAnswer } from '../../../src/contract/market'
import { BUCKET_MS, MINUTE } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { rangePlace } from '../../../src/domain/range-scale'
import { joinRatios } from '../../../src/domain/ratio-series'
import { READY_PAIRS } from '../../../src/domain/pair'
import { mergeSeries, type Series, seriesFromPoints } from '../../../src/domain/series'
import { ApiError } from '../../http/api-error'
import { shareReads } from '../../waits'
import type { Market } from './market'

/** How long an answer is given again, milliseconds. */
const HELD_FOR = MINUTE
/** An older price is not called the present one, milliseconds. */
const PRESENT = 10 * MINUTE

/**
 * The ready pairs with their ratios and places. All visitors share one computation a minute; no address is charged for it,
 * since it asks for the same four coins always.
 */
export const readyPairs = (market: Market, clock: () => number): (() => Promise<readonly ReadyPairAnswer[]>) =>
  shareReads((now) => figures(market, now), HELD_FOR - 1, clock).get

async function figures(market: Market, now: number): Promise<readonly ReadyPairAnswer[]> {
  const coins = [...new Set(READY_PAIRS.flatMap(({ coinA, coinB }) => [coinA.id, coinB.id]))]
  const [prices, histories] = await Promise.all([
    market.prices(coins),
    Promise.all(coins.map(async (coin) => [coin, await historyOf(market, coin)] as const)),
  ])
  const historyBy = new Map(histories)
  const present = (coin: CoinId): number => {
    const price = prices.get(coin)
    return price !== undefined && now - price.providerTime <= PRESENT ? price.usd : NaN
  }
  return READY_PAIRS.map(({ coinA, coinB }) => {
    const ratio = present(coinA.id) / present(coinB.id)
    const known = Number.isFinite(ratio) && ratio > 0
    const [a, b] = [historyBy.get(coinA.id), historyBy.get(coinB.id)]
    const series = a && b && joinRatios(a.series, b.series, b.width)
    return {
      coin_a_id: coinA.id,
      coin_b_id: coinB.id,
      ratio: known ? ratio : null,
      place: known && series ? rangePlace(series, ratio, now) : null,
    }
  })
}

/**
 * A coin's last 90 days, and the milliseconds between two points where they lie widest; null where the provider and the
 * database have nothing.
 */
async function historyOf(
  market: Market,
  coin: CoinId,
): Promise<{ readonly series: Series; readonly width: number } | null> {
  try {
    const { data, granularity, backfill } = (await market.history(coin, '3m')).answer
    const levels = [...backfill.toReversed(), { granularity, data }]
    return {
      series: levels.map((level) => seriesFromPoints(level.data)).reduce(mergeSeries),
      width: Math.max(...levels.map((level) => BUCKET_MS[level.granularity])),
    }
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
