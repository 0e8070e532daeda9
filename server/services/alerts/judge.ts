import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { readPrices } from '../market/prices'
import { fireAlerts, type Judgement } from './fire-alerts'
import { mayJudgeBy } from './judged-source'
import { pairRatios, pairsOf } from './pair-ratios'

/**
 * Judges alerts that prices of these coins can have set off, by what is stored now; part of a transaction. Where it says
 * that there are more, the next one finds them.
 * @param now milliseconds since 1970
 * @param isNamed MARKET_DATA names the source
 * @returns null where alerts were last judged by another source, and nobody has named this one
 */
export async function judgeAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  coins: readonly string[],
  now: number,
  isNamed = true,
): Promise<Judgement | null> {
  const pairs = await pairsOf(client, coins)
  // A source that has nothing to judge yet is not noted: until then, another may take its place.
  if (pairs.length === 0) return { crossings: { high: 0, low: 0 }, more: false }
  if (!(await mayJudgeBy(client, source, isNamed))) return null
  return fireAlerts(client, source, pairRatios(pairs, await readPrices(client, source), now), now)
}
