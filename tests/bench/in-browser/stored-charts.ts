import { wrap } from 'comlink'
import { LocalDatabase } from '../../../src/db/database'
import { extendChart } from '../../../src/domain/extend-chart'
import type { LivePrices } from '../../../src/domain/live-prices'
import type { ChartReady, WorkerApi } from '../../../workers/api'
import { historyRows, NOW, PAIRS, pricesRow, SIZES, SOURCE, type Size } from './market'

export type ChartPair = readonly [ChartReady, ChartReady]

/** Stores the market in the local database, and has the app's own worker compute what is drawn. */
export async function storedCharts(): Promise<Readonly<Record<Size, ChartPair>>> {
  const db = new LocalDatabase()
  const rows = historyRows()
  await db.history.bulkPut(rows)
  await db.prices.put(pricesRow(rows))
  const worker = wrap<WorkerApi>(new Worker('/app-worker.js'))
  const chart = async (size: Size, pair: (typeof PAIRS)[number]): Promise<ChartReady> => {
    const answer = await worker.chart({ ...pair, period: SIZES[size], now: NOW })
    if (answer.kind !== 'ready') throw new Error(`The made-up market gave no chart: ${JSON.stringify(answer)}`)
    return answer
  }
  const both = async (size: Size): Promise<ChartPair> => [await chart(size, PAIRS[0]), await chart(size, PAIRS[1])]
  return { 2160: await both(2160), 8760: await both(8760) }
}

/** What a poll brings: the newest prices, and the chart that they make of the one before. */
export interface Poll {
  readonly live: LivePrices
  readonly chart: ChartReady
}

/** A poll that moves a chart's last point by `factor`. */
export function pollOf(before: ChartReady, factor: number): Poll {
  const ratio = before.ratio.at(-1) ?? NaN
  const live = { time: NOW, priceA: ratio * factor, priceB: 1, source: SOURCE }
  const chart = extendChart(before, live, NOW)
  if (chart === null) throw new Error('The last point of the chart cannot be moved.')
  return { live, chart }
}
