import { wrap } from 'comlink'
import { LocalDatabase } from '../../../src/db/database'
import type { ChartReady, WorkerApi } from '../../../workers/api'
import { historyRows, NOW, PAIRS, pricesRow, SIZES, type Size } from './market'

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

const COLUMNS = ['ratio', 'ema', 'upper', 'lower'] as const

/** The chart after a poll that moves its last point by `factor`. */
export function movedChart(chart: ChartReady, factor: number): ChartReady {
  const moved = (column: Float64Array) => column.with(column.length - 1, (column.at(-1) ?? NaN) * factor)
  return { ...chart, ...Object.fromEntries(COLUMNS.map((line) => [line, moved(chart[line])])) }
}
