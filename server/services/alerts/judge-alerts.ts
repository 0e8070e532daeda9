import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { ratioOf } from '../../../src/domain/pair'
import type { pairs } from '../../db/schema/widgets'
import { freshPrice, readStoredPrices, type StoredPrice } from '../market/prices/stored-prices'
import {
  fireAlerts,
  fireFound,
  type FoundWidgets,
  type Judgement,
  NOTHING_JUDGED,
  type PairRatios,
} from './fire-alerts'

/** A judgement that may have left widgets for a transaction of their own. */
export interface CoinsJudgement extends Omit<Judgement, 'rest'> {
  /** Widgets found and not judged yet, and the pairs they are of; null: none. */
  readonly rest: Unjudged | null
}

/** Widgets that a look has found beyond what one transaction judges. */
export interface Unjudged {
  readonly found: FoundWidgets
  readonly pairs: readonly Pair[]
}

interface JudgeOptions {
  /** MARKET_DATA names the source. */
  readonly isNamed?: boolean
  readonly rest?: Unjudged | null
  /** Reads the stored prices, for a caller that needs them too. */
  readonly prices?: (() => Promise<ReadonlyMap<string, StoredPrice>>) | undefined
}

/**
 * Judges alerts that prices of these coins can have set off, by the stored prices; part of a transaction. If there are
 * more, the next transaction is given `rest`: it judges by the prices that are stored then, without another look.
 * @returns null where alerts were last judged by another source, and MARKET_DATA does not name this one
 */
export async function judgeAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  coins: readonly string[],
  now: number,
  { isNamed = true, rest = null, prices = () => readStoredPrices(client, source) }: JudgeOptions = {},
): Promise<CoinsJudgement | null> {
  const pairs = rest?.pairs ?? (await pairsOf(client, coins))
  // A source that has nothing to judge yet is not noted: until then, another may take its place.
  if (pairs.length === 0) return NOTHING_JUDGED
  if (!(await mayJudgeBy(client, source, isNamed))) return null
  const ratios = pairRatios(pairs, await prices(), now)
  const judged =
    rest === null
      ? await fireAlerts(client, source, ratios, now)
      : await fireFound(client, source, rest.found, ratios, now)
  return { ...judged, rest: judged.rest && { found: judged.rest, pairs } }
}

/**
 * True if alerts may be judged by this source, which is then noted; part of the transaction that judges. Owners set
 * thresholds by the prices of one source: another source's prices would fire them for nothing, so an operator must name it.
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

/** A row of `pairs`. */
type Pair = Pick<typeof pairs.$inferSelect, 'id' | 'coin_a_id' | 'coin_b_id'>

const IS_WATCHED = `is_active AND notifications_enabled AND (high_threshold IS NOT NULL OR low_threshold IS NOT NULL)`

/** Of more coins, the pairs that nobody watches may be so many that to pass the watched ones is quicker. */
const FEW_COINS = 100

/* The pairs of the coins, and one look into an index for each. LIMIT and OFFSET keep it so, whatever the planner expects. */
const WATCHED_OF_FEW = `
SELECT p.* FROM unnest($1::text[]) coin (id) CROSS JOIN LATERAL (
  SELECT id, coin_a_id, coin_b_id FROM pairs WHERE coin_a_id = coin.id
  UNION ALL
  SELECT id, coin_a_id, coin_b_id FROM pairs WHERE coin_b_id = coin.id AND coin_a_id <> ALL ($1)
  OFFSET 0
) p CROSS JOIN LATERAL (SELECT FROM widgets WHERE pair_id = p.id AND ${IS_WATCHED} LIMIT 1) watched`

/* The watched pairs, by one look into an index for each: a pair that no widget watches costs nothing (decision 0048). */
const WATCHED = `
WITH RECURSIVE watched (pair_id) AS (
  SELECT min(pair_id) FROM widgets WHERE ${IS_WATCHED}
  UNION ALL
  SELECT (SELECT min(w.pair_id) FROM widgets w WHERE w.pair_id > watched.pair_id AND ${IS_WATCHED})
  FROM watched WHERE watched.pair_id IS NOT NULL
)
SELECT p.id, p.coin_a_id, p.coin_b_id FROM pairs p
WHERE p.id = ANY (ARRAY (SELECT pair_id FROM watched)) AND (p.coin_a_id = ANY ($1::text[]) OR p.coin_b_id = ANY ($1::text[]))`

/** The watched pairs that one of these coins is in. */
export async function pairsOf(client: Pick<PoolClient, 'query'>, coins: readonly string[]): Promise<readonly Pair[]> {
  const { rows } = await client.query<Pair>(coins.length > FEW_COINS ? WATCHED : WATCHED_OF_FEW, [coins])
  return rows
}

/** Divided here, by the rule that pages show: PostgreSQL refuses divisions that JavaScript calls infinite. */
function pairRatios(pairs: readonly Pair[], prices: ReadonlyMap<string, StoredPrice>, now: number): PairRatios {
  const fresh = (coin: string): number | null => freshPrice(prices, coin, now)?.usd ?? null
  const known = pairs.flatMap(({ id, coin_a_id, coin_b_id }) => {
    const ratio = ratioOf(fresh(coin_a_id), fresh(coin_b_id))
    return ratio === null ? [] : [{ id, ratio }]
  })
  return { pairs: known.map(({ id }) => id), ratios: known.map(({ ratio }) => ratio) }
}
