import type { Pool } from 'pg'
import type { MarketSource } from '../../../src/contract/market'

/** A pair that a price update of 13 or 7 fires for, as a request for its widget has it. */
export const WATCHED = {
  coin_a_id: 'bitcoin',
  coin_b_id: 'ethereum',
  high_threshold: 12,
  low_threshold: 8,
  notifications_enabled: true,
}

/** Makes coins known to a market that does not run. The symbol of each is the first three letters of its id. */
export const listCoins = (pool: Pool, coins: readonly string[], source: MarketSource = 'simulated') =>
  pool.query(
    `INSERT INTO market_coins (source, id, symbol, name, listed_at)
     SELECT $2, id, upper(left(id, 3)), id, 0 FROM unnest($1::text[]) id ON CONFLICT DO NOTHING`,
    [coins, source],
  )

/** As a price update brings them. */
export const pricesOf = (usd: Readonly<Record<string, number>>, providerTime: number) =>
  new Map(Object.entries(usd).map(([id, usd]) => [id, { usd, providerTime }]))
