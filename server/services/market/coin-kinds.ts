import type { Pool } from 'pg'
import type { CoinKind } from '../../../src/domain/daily-matrix'
import { DAY } from '../../../src/domain/granularity'
import { type ListedCoin, ProviderError, type ProviderFailure } from '../../adapters/market-data/provider'
import type { FeedDeps } from './feed'

/** Categories change seldom, and each costs a call. Milliseconds. */
const ASK_EVERY = 7 * DAY
/** Failures that say nothing of the category: all are asked for again with the next list. */
const OF_THE_PROVIDER: readonly ProviderFailure[] = ['rate-limited', 'budget', 'unreachable']
/** A category with more than this part of the list is no category: the provider does not look at the question. */
const MOST_OF_LIST = 0.5
/** A coin of a category of stablecoins is one of dollars while it costs about one: others are of euros, or gather interest. */
const DOLLAR = { from: 0.8, to: 1.04 }

/** Learns from a provider's categories which of the listed coins stand for a dollar, or for another coin. */
export function coinKinds({ pool, provider, clock, logger }: FeedDeps) {
  const unusable = new Set<string>()

  /** @returns null: the category gives nothing. @throws ProviderError where the provider is not to be asked now */
  async function idsOf(category: string, listed: number): Promise<ReadonlySet<string> | null> {
    try {
      const ids = new Set(await provider.categoryIds(category))
      if (ids.size <= MOST_OF_LIST * listed) return ids
      throw new ProviderError('malformed', 'The category holds most coins of the list')
    } catch (error) {
      if (!(error instanceof ProviderError) || OF_THE_PROVIDER.includes(error.failure)) throw error
      if (!unusable.has(category)) logger?.warn({ category, err: error }, 'a category of coins cannot be used')
      unusable.add(category)
      return null
    }
  }

  return {
    /** Asks for the categories, once a week; a failing provider leaves what is known. */
    refreshIfDue: async (coins: readonly ListedCoin[]): Promise<void> => {
      const now = clock()
      if (!(await areDue(pool, provider.source, now))) return
      const kinds = new Map<string, CoinKind>()
      try {
        for (const { kind, category } of provider.kindCategories) {
          const ids = await idsOf(category, coins.length)
          for (const { id, usd } of coins) {
            if (ids?.has(id) && !kinds.has(id) && (kind !== 'usd' || isDollar(usd))) kinds.set(id, kind)
          }
        }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        logger?.warn({ failure: error.failure, err: error }, 'the categories of coins could not be fetched')
        return
      }
      await saveKinds(pool, provider.source, coins, kinds, now)
    },
  }
}

const isDollar = (usd: number | null): boolean => usd !== null && usd >= DOLLAR.from && usd <= DOLLAR.to

async function areDue(pool: Pool, source: string, now: number): Promise<boolean> {
  const { rows } = await pool.query<{ at: number | null }>(
    'SELECT max(kind_at)::float8 AS at FROM market_coins WHERE source = $1 AND kind_at <= $2',
    [source, now],
  )
  const at = rows[0]?.at ?? null
  return at === null || now - at >= ASK_EVERY
}

/** Rows are taken in the order of the list's own statement (`IN_ORDER`). */
async function saveKinds(
  pool: Pool,
  source: string,
  coins: readonly ListedCoin[],
  kinds: ReadonlyMap<string, CoinKind>,
  now: number,
): Promise<void> {
  await pool.query(
    `UPDATE market_coins c SET kind = held.kind, kind_at = $4
     FROM (
       SELECT m.key, given.kind FROM market_coins m JOIN unnest($2::text[], $3::text[]) AS given (id, kind) ON given.id = m.id
       WHERE m.source = $1 ORDER BY m.id FOR NO KEY UPDATE OF m
     ) held WHERE c.key = held.key`,
    [source, coins.map(({ id }) => id), coins.map(({ id }) => kinds.get(id) ?? null), now],
  )
}
