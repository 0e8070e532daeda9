import { transfer } from 'comlink'
import type { LocalDatabase } from '../src/db/database'
import { computeChart } from '../src/domain/chart'
import { PERIOD_RULES } from '../src/domain/period'
import type { ChartAnswer, ChartRequest } from './api'
import { buffersOf } from './buffers'
import { fetchedAt, recordsOf } from './history-records'
import { readPair } from './read-pair'

/** The chart of a pair from what the local database holds. */
export async function answerChart(db: LocalDatabase, request: ChartRequest): Promise<ChartAnswer> {
  const { period, now } = request
  const { rowsA, rowsB, live } = await readPair(db, request)
  const result = computeChart({ a: recordsOf(rowsA), b: recordsOf(rowsB), period, now, live })
  if (result.kind !== 'ready') return result
  const { columns } = result
  const { granularity } = PERIOD_RULES[period]
  const answer: ChartAnswer = {
    kind: 'ready',
    ...columns,
    fetchedAt: Math.min(fetchedAt(rowsA, granularity), fetchedAt(rowsB, granularity)),
  }
  return transfer(answer, buffersOf([columns.times, columns.ratio, columns.ema, columns.upper, columns.lower]))
}
