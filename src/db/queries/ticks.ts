import { HOUR } from '../../domain/granularity'
import type { CoinId } from '../../domain/ids'
import { lowerBound, type Series, sliceSeries } from '../../domain/series'
import { TICK_BUFFER } from '../../domain/ticks'
import type { LocalDatabase } from '../database'

/**
 * Live prices with from <= time < to, and before them the tick that still held at `from`, where there is one: a tick
 * holds until the next.
 */
export async function readTickSeries(db: LocalDatabase, coin: CoinId, from: number, to: number): Promise<Series> {
  const chunks = await db.ticks
    .where('[coin_id+hour]')
    .between([coin, Math.floor((from - TICK_BUFFER) / HOUR) * HOUR], [coin, to])
    .sortBy('hour')
  const length = chunks.reduce((sum, chunk) => sum + chunk.times.length, 0)
  const all: Series = { times: new Float64Array(length), prices: new Float64Array(length) }
  let offset = 0
  for (const { times, prices } of chunks) {
    all.times.set(times, offset)
    all.prices.set(prices, offset)
    offset += times.length
  }
  const first = lowerBound(all.times, from)
  const held = first > 0 && all.times[first] !== from ? all.times[first - 1]! : from
  return sliceSeries(all, held, to)
}
