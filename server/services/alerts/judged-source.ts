import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'

/**
 * Whether alerts may be judged by this source, which is noted if so; part of the transaction that judges. Thresholds are
 * set by the prices of a source: by those of another they would fire for nothing, so it takes an operator's word.
 * @param isNamed MARKET_DATA names the source; it was not found by trying
 */
export async function mayJudgeBy(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  isNamed: boolean,
): Promise<boolean> {
  const { rows } = await client.query<{ source: MarketSource }>('SELECT source FROM alert_source')
  const last = rows[0]?.source
  if (last === source) return true
  if (last !== undefined && !isNamed) return false
  await client.query(
    'INSERT INTO alert_source (id, source) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET source = excluded.source',
    [source],
  )
  return true
}
