import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { COIN_ID_PATTERN } from '../../../src/domain/ids'
import { ProviderError, type MarketProvider, type SpotPrice } from '../../adapters/market-data/provider'
import { lastListedAt, readCoins, saveCoins, type KnownCoin } from './coins'
import type { StorePrices } from './price-store'

/** The specification's bound. */
const MOST = 500
const DAY = 24 * 3_600_000
/** After a failure; doubled from failure to failure. Milliseconds. */
const FIRST_REST = 30_000
const LONGEST_REST = 3_600_000
/** How long this process trusts the list that it read; another may have renewed it. Milliseconds. */
const TRUST = 30_000

/** A stored coin that no client could read, from a list of long ago, counts as none. */
const byId = (all: readonly KnownCoin[]): ReadonlyMap<string, KnownCoin> =>
  new Map(all.filter(({ id }) => COIN_ID_PATTERN.test(id)).map((coin) => [coin.id, coin]))

interface Parts {
  readonly pool: Pool
  readonly provider: MarketProvider
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
  readonly store: StorePrices
}

export interface CoinList {
  /** Every coin that was ever listed, ranked ones first. */
  all(): Promise<readonly KnownCoin[]>
  find(id: string): Promise<KnownCoin | undefined>
  /** Fetches the list when it is a day old or was never had, and no failure is too fresh. */
  refreshIfDue(): Promise<void>
}

/** The source's coins, read from the database and renewed once a day. A failing source never empties it. */
export function coinList({ pool, provider, clock, logger, store }: Parts): CoinList {
  const { source } = provider
  let known: { readonly at: number; readonly coins: Promise<ReadonlyMap<string, KnownCoin>> } | null = null
  let failures = 0
  let retryAt = 0

  function load(): Promise<ReadonlyMap<string, KnownCoin>> {
    const now = clock()
    if (known === null || Math.abs(now - known.at) > TRUST) {
      const coins = readCoins(pool, source).then(byId)
      const mine = { at: now, coins }
      known = mine
      // A failure is told to those who wait and not kept; nor is an empty list, for which everybody waits.
      const drop = () => {
        if (known === mine) known = null
      }
      coins.then((all) => {
        if (all.size === 0) drop()
      }, drop)
    }
    return known.coins
  }

  async function refresh(): Promise<void> {
    const coins = await provider.listCoins(MOST)
    if (coins.length === 0) throw new ProviderError('malformed', 'The list of coins came empty')
    const now = clock()
    await saveCoins(pool, source, coins, now)
    const listed = coins.flatMap(({ id, usd, at }): [string, SpotPrice][] => (usd === null ? [] : [[id, { usd, at }]]))
    // Once a day is no history.
    known = null
    await store(new Map(listed), { history: false })
    logger?.info({ source, coins: coins.length }, 'list of coins renewed')
  }

  return {
    all: async () => [...(await load()).values()],
    find: async (id) => (await load()).get(id),

    refreshIfDue: async () => {
      const now = clock()
      if (now < retryAt && retryAt - now <= LONGEST_REST) return
      const listedAt = await lastListedAt(pool, source, now)
      if (listedAt !== null && now - listedAt < DAY) return
      try {
        await refresh()
        failures = 0
        retryAt = 0
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        retryAt = now + Math.max(error.retryAfter ?? 0, Math.min(LONGEST_REST, FIRST_REST * 2 ** failures))
        failures = Math.min(failures + 1, 10)
        logger?.warn({ failure: error.failure, err: error }, 'the list of coins could not be renewed')
      }
    },
  }
}
