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

/*
 * The pairs that a widget watches, by one look into an index for each: what nobody watches costs nothing, however many
 * pairs there are.
 */
const WATCHED = `
WITH RECURSIVE watched (pair_id) AS (
  SELECT min(pair_id) FROM widgets
    WHERE is_active AND notifications_enabled AND (high_threshold IS NOT NULL OR low_threshold IS NOT NULL)
  UNION ALL
  SELECT (
    SELECT min(w.pair_id) FROM widgets w WHERE w.pair_id > watched.pair_id
      AND w.is_active AND w.notifications_enabled AND (w.high_threshold IS NOT NULL OR w.low_threshold IS NOT NULL)
  ) FROM watched WHERE watched.pair_id IS NOT NULL
)
SELECT p.id, p.coin_a_id, p.coin_b_id FROM pairs p
WHERE p.id = ANY (ARRAY (SELECT pair_id FROM watched)) AND (p.coin_a_id = ANY ($1::text[]) OR p.coin_b_id = ANY ($1::text[]))`

/** The watched pairs that one of these coins is in. */
export async function pairsOf(client: Pick<PoolClient, 'query'>, coins: readonly string[]): Promise<readonly Pair[]> {
  const { rows } = await client.query<Pair>(WATCHED, [coins])
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
