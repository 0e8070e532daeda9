import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { readPrices } from '../market/prices'
import { type Crossings, fireAlerts } from './fire-alerts'
import { pairRatios, pairsOf } from './pair-ratios'

/**
 * Judges every alert that prices of these coins can have set off, by what is stored now; part of a transaction.
 * @param now milliseconds since 1970
 */
export async function judgeAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  coins: readonly string[],
  now: number,
): Promise<Crossings> {
  const pairs = await pairsOf(client, coins)
  return fireAlerts(client, source, pairRatios(pairs, await readPrices(client, source), now), now)
}
