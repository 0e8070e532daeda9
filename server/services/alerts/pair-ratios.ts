import type { PoolClient } from 'pg'
import { isFreshForAlerts } from '../../../src/domain/alerts'
import { ratioOf } from '../../../src/domain/ratio'
import type { StoredPrice } from '../market/prices'

/** Columns of equal length; a pair that has no ratio to be judged by is left out. */
export interface PairRatios {
  /** Ids of `pairs`. */
  readonly pairs: readonly number[]
  /** Finite, at least 0. */
  readonly ratios: readonly number[]
}

interface Pair {
  readonly id: number
  readonly coin_a_id: string
  readonly coin_b_id: string
}

/** The pairs that one of these coins is in. */
export async function pairsOf(client: Pick<PoolClient, 'query'>, coins: readonly string[]): Promise<readonly Pair[]> {
  const { rows } = await client.query<Pair>(
    `SELECT id, coin_a_id, coin_b_id FROM pairs WHERE coin_a_id = ANY ($1::text[]) OR coin_b_id = ANY ($1::text[])`,
    [coins],
  )
  return rows
}

/**
 * Reckoned here, since PostgreSQL refuses divisions that JavaScript calls infinite, and by the rule that pages show.
 * @param now milliseconds since 1970
 */
export function pairRatios(pairs: readonly Pair[], prices: ReadonlyMap<string, StoredPrice>, now: number): PairRatios {
  const fresh = (coin: string): number | null => {
    const price = prices.get(coin)
    return price !== undefined && isFreshForAlerts(price.at, now) && isFreshForAlerts(price.seenAt, now) ? price.usd : null // prettier-ignore
  }
  const known = pairs.flatMap(({ id, coin_a_id, coin_b_id }) => {
    const ratio = ratioOf(fresh(coin_a_id), fresh(coin_b_id))
    return ratio === null ? [] : [{ id, ratio }]
  })
  return { pairs: known.map(({ id }) => id), ratios: known.map(({ ratio }) => ratio) }
}
