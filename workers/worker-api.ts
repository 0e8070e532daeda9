import type { LocalDatabase } from '../src/db/database'
import { aggregateTicks } from './aggregate-ticks'
import { answerChart } from './answer-chart'
import { answerCsv } from './answer-csv'
import { answerSummaries } from './answer-summaries'
import type { WorkerApi } from './api'
import { rootCause } from './root-cause'

/** The calls of the web worker over one connection to the local database. */
export function workerApi(db: LocalDatabase): WorkerApi {
  return {
    chart: (request) => told(answerChart(db, request)),
    csv: (request) => told(answerCsv(db, request)),
    summaries: (pairs, now) => told(answerSummaries(db, pairs, now)),
    aggregate: (now) => told(aggregateTicks(db, now)),
  }
}

/** A failure crosses to the page with what caused it; the worker lives on and may be asked again. */
const told = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw rootCause(error)
  })
