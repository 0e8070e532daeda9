import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { readPrices } from '../market/prices'
import { fireAlerts, type Judgement } from './fire-alerts'
import { pairRatios, pairsOf } from './pair-ratios'

/**
 * Judges alerts that prices of these coins can have set off, by what is stored now; part of a transaction. Where it says
 * that there are more, the next one finds them.
 * @param now milliseconds since 1970
 */
export async function judgeAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  coins: readonly string[],
  now: number,
): Promise<Judgement> {
  const pairs = await pairsOf(client, coins)
  return fireAlerts(client, source, pairRatios(pairs, await readPrices(client, source), now), now)
}
