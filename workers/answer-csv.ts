import type { LocalDatabase } from '../src/db/database'
import { csvChunks } from '../src/domain/csv'
import { priceRows } from '../src/domain/price-rows'
import type { CsvRequest } from './api'
import { readPair } from './read-pair'

/**
 * The prices behind a chart as a file, in UTF-8.
 * @throws with the specification's sentence as message where there are none
 */
export async function answerCsv(db: LocalDatabase, request: CsvRequest): Promise<Blob> {
  const { period, now, symbolA, symbolB } = request
  const { a, b, live } = await readPair(db, request)
  const result = priceRows({ a: a.records, b: b.records, period, now, live })
  if (result.kind === 'empty') throw new Error('No ratio data available to display for this period')
  if (result.kind === 'error') throw new Error(result.message)
  const encoder = new TextEncoder()
  const parts = Array.from(csvChunks(result.rows, symbolA, symbolB), (text) => encoder.encode(text))
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}
