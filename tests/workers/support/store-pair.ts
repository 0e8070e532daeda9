import type { LocalDatabase } from '../../../src/db/database'
import type { HistoryRow } from '../../../src/db/rows'
import { GRANULARITIES, type Granularity } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { pricesRow } from '../../support/price-row'

export type Points = readonly (readonly [time: number, price: number])[]
export type Levels = Readonly<Partial<Record<Granularity, Points>>>

export const COIN_A = 'coin-a' as CoinId
export const COIN_B = 'coin-b' as CoinId

/** Milliseconds and USD. */
export interface Poll {
  readonly time: number
  readonly priceA: number
  readonly priceB: number
}

/** Stores a coin's history as it is given, in order or not. */
export async function storeHistory(db: LocalDatabase, coin: CoinId, levels: Levels): Promise<void> {
  const rows = GRANULARITIES.flatMap((granularity): HistoryRow[] => {
    const points = levels[granularity]
    if (points === undefined) return []
    return [
      {
        id: `${coin}:${granularity}`,
        coin_id: coin,
        granularity,
        source: 'simulated',
        times: Float64Array.from(points, ([time]) => time),
        prices: Float64Array.from(points, ([, price]) => price),
        server_until: 0,
        fetch_timestamp: 1,
      },
    ]
  })
  await db.history.bulkPut(rows)
}

export async function storePoll(db: LocalDatabase, { time, priceA, priceB }: Poll): Promise<void> {
  await db.prices.put(pricesRow({ [COIN_A]: priceA, [COIN_B]: priceB }, time))
}
