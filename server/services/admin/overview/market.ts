import type { Pool } from 'pg'
import type { Overview } from '../../../../src/contract/admin'
import type { MarketSource } from '../../../../src/contract/market'
import type { Env } from '../../../env'
import { callsThisMonth, monthlyCalls } from '../../market/budget'
import { readPrices } from '../../market/prices'
import { countWatched } from '../../market/watched-coins'

/** @param now milliseconds since 1970 */
export async function marketFigures(
  pool: Pool,
  env: Env,
  source: MarketSource,
  now: number,
): Promise<Overview['market']> {
  // prettier-ignore
  const prices = [...(await readPrices(pool, source)).values()]
  const counted = source === 'coingecko'
  return {
    source,
    newest_price_at: prices.length === 0 ? null : new Date(Math.max(...prices.map(({ seenAt }) => seenAt))).toISOString(), // prettier-ignore
    coins_priced: prices.length,
    coins_watched: await countWatched(pool, source, now),
    provider_calls: counted ? await callsThisMonth(pool, now) : 0,
    provider_budget: counted ? monthlyCalls(env) : null,
  }
}
