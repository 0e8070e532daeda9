import { transfer } from 'comlink'
import type { LocalDatabase } from '../src/db/database'
import { computeChart } from '../src/domain/chart'
import { PERIOD_RULES } from '../src/domain/period'
import type { ChartAnswer, ChartRequest } from './api'
import { buffersOf } from './buffers'
import { fetchedAt } from './history-records'
import { readPair } from './read-pair'

/** The chart of a pair from what the local database holds. */
export async function answerChart(db: LocalDatabase, request: ChartRequest): Promise<ChartAnswer> {
  const { period, now } = request
  const { a, b, live } = await readPair(db, request)
  const result = computeChart({ a: a.records, b: b.records, period, now, live })
  if (result.kind !== 'ready') return result
  const { columns } = result
  const { granularity } = PERIOD_RULES[period]
  const answer: ChartAnswer = {
    kind: 'ready',
    ...columns,
    fetchedAt: Math.min(fetchedAt(a.rows, granularity), fetchedAt(b.rows, granularity)),
  }
  return transfer(answer, buffersOf([columns.times, columns.ratio, columns.ema, columns.upper, columns.lower]))
}
