import { type DailyMatrix, decodeDailyMatrix } from '../../domain/daily-matrix'
import type { LocalDatabase } from '../database'
import type { PricesRow } from '../rows'

export interface StoredMatrix {
  readonly matrix: DailyMatrix
  /** Milliseconds of the server's last answer for it. */
  readonly fetchedAt: number
}

/**
 * The stored daily closes; null: none yet, damaged, or of another source than the prices, since two sources never meet in
 * one figure.
 */
export async function readDailyMatrix(db: LocalDatabase, prices: PricesRow | undefined): Promise<StoredMatrix | null> {
  const row = await db.daily_closes.get('usd')
  if (row === undefined || (prices !== undefined && prices.source !== row.source)) return null
  const matrix = decodeDailyMatrix(row.matrix)
  return matrix === null || matrix.source !== row.source ? null : { matrix, fetchedAt: row.fetched_at }
}
