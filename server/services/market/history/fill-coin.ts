import type { Pool } from 'pg'
import type { CallShare } from '../../../adapters/market-data/provider'
import { inTransaction } from '../../../db/open'
import type { FeedDeps } from '../feed'
import { writeCloses } from './closes'

/** A coin whose past year is to be asked for. */
export interface FillRow {
  readonly key: number
  readonly id: string
  /** Milliseconds at which the provider was last asked for it; null: never. */
  readonly asked_at: number | null
}

/** Those of these coins that the source ever listed, in their order. */
export async function fillRows(pool: Pool, source: string, ids: readonly string[]): Promise<readonly FillRow[]> {
  const { rows } = await pool.query<FillRow>(
    `SELECT c.key, c.id, c.closes_asked_at::float8 AS asked_at
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, place) JOIN market_coins c ON c.source = $1 AND c.id = wanted.id
     ORDER BY wanted.place`,
    [source, ids],
  )
  return rows
}

/** True for a coin that nobody asked the provider for; a time ahead was noted while a clock was wrong. */
export const wasNeverAsked = ({ asked_at }: FillRow, now: number): boolean => asked_at === null || asked_at > now

/**
 * Asks the provider for a coin's past year, and stores it as closes.
 * @returns false: another process asks
 * @throws ProviderError; the coin then counts as not asked for
 */
export async function fillCoin(
  { pool, provider, clock }: Pick<FeedDeps, 'pool' | 'provider' | 'clock'>,
  { key, id, asked_at }: FillRow,
  share: CallShare,
): Promise<boolean> {
  const now = clock()
  if (!(await claim(pool, key, asked_at, now))) return false
  try {
    const closes = await provider.history(id, 'daily', share, 'closes')
    await inTransaction(pool, (client) => writeCloses(client, key, closes, clock()))
    return true
  } catch (error) {
    await claim(pool, key, now, asked_at)
    throw error
  }
}

/** Sets the time of the last question, unless another process has set it since. @returns whether it was set */
async function claim(pool: Pool, key: number, before: number | null, at: number | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE market_coins SET closes_asked_at = $3 WHERE key = $1 AND closes_asked_at IS NOT DISTINCT FROM $2::bigint',
    [key, before, at],
  )
  return rowCount === 1
}
