import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import type { Changes } from '../../../db/changes'
import { inTransaction } from '../../../db/open'
import { type CoinsJudgement, judgeAlerts, type Unjudged } from '../../alerts/judge-alerts'
import type { AlertMetrics } from '../../alerts/metrics'
import type { FeedDeps, StorePrices } from '../feed'
import { savePrices } from './stored-prices'

/** Any number that nothing else in the database uses as an advisory lock. */
const PRICES_LOCK = 7_204_815_330_113

interface PriceStoreDeps extends Omit<FeedDeps, 'provider'> {
  readonly source: MarketSource
  /** MARKET_DATA names the source; else alerts are judged by it only as long as they were by no other. */
  readonly isNamed?: boolean
  readonly metrics?: AlertMetrics | undefined
  /** Called after prices were stored. */
  readonly onPrices?: () => void
  /** Open streams hear of stored prices, crossings and changed widgets from here, once they are committed. */
  readonly changes?: Pick<Changes, 'publish'>
}

/**
 * Prices come in together with the alerts that they set off, or not at all: a process that dies in between would leave a
 * crossing that nobody looks for again. Updates come one after the other, over all processes, so that the latest prices
 * have the last word. Alerts that cannot be judged cost no prices. Of more alerts than are judged at once, the rest has
 * transactions of its own: meanwhile others get on, and newer prices may come in between.
 */
export function priceStore(deps: PriceStoreDeps): StorePrices {
  const { pool, source, isNamed = true, clock, metrics, logger, onPrices, changes } = deps
  let refused = false

  async function judge(
    client: PoolClient,
    coins: readonly string[],
    rest: Unjudged | null,
  ): Promise<CoinsJudgement | null> {
    const started = performance.now()
    await client.query('SAVEPOINT alerts')
    try {
      const judgement = await judgeAlerts(client, source, coins, clock(), { isNamed, rest })
      if (judgement === null && !refused) {
        const message = 'alerts are NOT judged: they last were by other prices. MARKET_DATA=%s judges them by these'
        logger?.warn({ source }, message, source)
      }
      refused = judgement === null
      metrics?.evaluated((performance.now() - started) / 1000)
      return judgement
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT alerts')
      logger?.error({ err: error }, 'alerts could not be judged')
      return null
    }
  }

  const inTurn = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [PRICES_LOCK])
      return work(client)
    })

  /** The prices are in by then: what cannot be judged now is found by the next update. */
  const judgeOn = (coins: readonly string[], rest: Unjudged | null): Promise<CoinsJudgement | null> =>
    inTurn((client) => judge(client, coins, rest)).catch((error: unknown) => {
      logger?.error({ err: error }, 'more alerts could not be judged')
      return null
    })

  return async (prices, { history }) => {
    const coins = [...prices.keys()]
    let judged = await inTurn(async (client) => {
      await savePrices(client, source, prices, clock(), { history })
      return judge(client, coins, null)
    })
    onPrices?.()
    changes?.publish([{ kind: 'prices' }])
    while (judged !== null) {
      metrics?.crossed(judged.crossings)
      changes?.publish(judged.changes)
      judged = judged.more ? await judgeOn(coins, judged.rest) : null
    }
  }
}
