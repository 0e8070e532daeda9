import type { LocalDatabase } from '../src/db/database'
import { toError } from '../src/domain/error-message'
import { aggregateTicks } from './aggregate-ticks'
import { answerChart, answerCsv, answerSummaries } from './answers'
import type { WorkerApi } from './api'

/** The calls of the web worker over one connection to the local database. */
export function workerApi(db: LocalDatabase): WorkerApi {
  return {
    chart: (request) => withRootCause(answerChart(db, request)),
    csv: (request) => withRootCause(answerCsv(db, request)),
    summaries: (pairs, now) => withRootCause(answerSummaries(db, pairs, now)),
    aggregate: (now) => withRootCause(aggregateTicks(db, now)),
  }
}

/** A failure crosses to the page with what caused it; the worker lives on and may be asked again. */
const withRootCause = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw rootCause(error)
  })

/**
 * The innermost error. Of an error only name, message and stack reach the page, and a transaction that failed for want of
 * space calls itself "AbortError" and keeps the reason inside.
 */
export function rootCause(error: unknown): Error {
  let innermost: unknown = error
  const seen = new Set<unknown>()
  while (innermost instanceof Error && !seen.has(innermost)) {
    seen.add(innermost)
    const inner = (innermost as Error & { readonly inner?: unknown }).inner ?? innermost.cause
    if (!(inner instanceof Error)) return innermost
    innermost = inner
  }
  return toError(innermost)
}
