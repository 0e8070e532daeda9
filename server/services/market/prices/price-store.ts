import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import type { DailyMatrix } from '../../../../src/domain/daily-matrix'
import type { Changes } from '../../../db/changes'
import { inTransaction } from '../../../db/open'
import { type FiredExtremes, fireExtremes } from '../../alerts/fire-extremes'
import { type CoinsJudgement, judgeAlerts, mayJudgeBy, type Unjudged } from '../../alerts/judge-alerts'
import { extremesJudge } from '../../alerts/judge-extremes'
import { type RulesInput, rulesJudge, type RulesJudgement } from '../../alerts/judge-rules'
import type { AlertMetrics } from '../../alerts/metrics'
import type { FeedDeps, StorePrices } from '../feed'
import { readStoredPrices, savePrices, type StoredPrice } from './stored-prices'

/** Milliseconds after which rules that others hold, each for the time of one change, are looked at again, and how often. */
const HELD_PAUSE_MS = 20
const HELD_WAITS = 100

/** Any number that nothing else in the database uses as an advisory lock. */
const PRICES_LOCK = 7_204_815_330_113

interface PriceStoreDeps extends Omit<FeedDeps, 'provider'> {
  readonly source: MarketSource
  /** MARKET_DATA names the source; else alerts are judged by it only as long as they were by no other. */
  readonly isNamed?: boolean
  readonly metrics?: AlertMetrics | undefined
  /** The daily closes that extremes are judged by; without them, none is. */
  readonly closes?: () => Promise<DailyMatrix>
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
  const { source, clock, metrics, onPrices, changes } = deps
  const closes = closesOf(deps)
  const thresholds = thresholdsOf(deps)
  const extremes = extremesOf(deps)
  const rules = rulesOf(deps)
  const { inTurn, later } = turnsOf(deps)

  const tell = (judged: Pick<FiredExtremes, 'crossings' | 'changes'>): void => {
    metrics?.crossed(judged.crossings)
    changes?.publish(judged.changes)
  }

  return async (prices, { history }) => {
    const coins = [...prices.keys()]
    const matrix = await closes.read()
    let [judged, fired, ruled] = await inTurn(async (client) => {
      await savePrices(client, source, prices, clock(), { history })
      const stored = readOnce(client, source)
      return [
        await thresholds.judge(client, coins, null, stored),
        await extremes.judge(client, coins, matrix, stored),
        await rules.judge(client, { coins }, matrix, stored),
      ] as const
    })
    onPrices?.()
    changes?.publish([{ kind: 'prices' }])
    while (judged !== null) {
      tell(judged)
      const { more, rest } = judged
      judged = more ? await later((client) => thresholds.judge(client, coins, rest)) : null
    }
    if (fired === 'unready') {
      const read = await closes.read('now')
      fired = await later((client) => extremes.judge(client, coins, read, readOnce(client, source)))
    }
    while (fired !== null && fired !== 'unready') {
      tell(fired)
      fired = fired.more ? await later((client) => fireExtremes(client, source)) : null
    }
    if (ruled?.unready === true) {
      tell(ruled)
      const read = await closes.read('now')
      ruled = await later((client) => rules.judge(client, { coins }, read, readOnce(client, source)))
    }
    // The next update finds what is held longer, as far as it is still to change.
    for (let waits = 0; ruled !== null && waits < HELD_WAITS;) {
      tell(ruled)
      const { rest } = ruled
      if (rest.length === 0) break
      const next = await later((client) => rules.judge(client, { rest }, matrix, readOnce(client, source)))
      if (next !== null && next.rest.length >= rest.length) {
        waits++
        await delay(HELD_PAUSE_MS)
      }
      ruled = next
    }
  }
}

/** Transactions that come one after the other, over all processes. */
function turnsOf({ pool, logger }: Pick<PriceStoreDeps, 'pool' | 'logger'>) {
  const inTurn = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [PRICES_LOCK])
      return work(client)
    })
  return {
    inTurn,
    /** The prices are in by then: what cannot be judged now is found by the next update. */
    later: <T>(work: (client: PoolClient) => Promise<T>): Promise<T | null> =>
      inTurn(work).catch((error: unknown) => {
        logger?.error({ err: error }, 'more alerts could not be judged')
        return null
      }),
  }
}

type ReadPrices = () => Promise<ReadonlyMap<string, StoredPrice>>

/** All who judge within a transaction read the prices together. */
function readOnce(client: PoolClient, source: MarketSource): ReadPrices {
  let read: ReturnType<ReadPrices> | undefined
  return () => (read ??= readStoredPrices(client, source))
}

/** Daily closes, read before a transaction: the embedded database has one session. */
function closesOf({ closes, logger }: PriceStoreDeps) {
  let wanted = false
  return {
    /** Null: not known. @param when `now`: there is something to judge by them; before that, none is read */
    read: async (when?: 'now'): Promise<DailyMatrix | null> => {
      wanted ||= when === 'now'
      if (!wanted || closes === undefined) return null
      return closes().catch((error: unknown) => {
        logger?.error({ err: error }, 'closes for alerts could not be read')
        return null
      })
    },
  }
}

/** Part of a transaction: what fails is undone and logged, and costs nothing else. */
async function within<T>(
  client: PoolClient,
  what: 'alerts' | 'extremes' | 'rules',
  logger: PriceStoreDeps['logger'],
  judge: () => Promise<T>,
): Promise<T | null> {
  await client.query(`SAVEPOINT ${what}`)
  try {
    return await judge()
  } catch (error) {
    await client.query(`ROLLBACK TO SAVEPOINT ${what}`)
    logger?.error({ err: error }, `${what} could not be judged`)
    return null
  }
}

/** Judges thresholds as a part of an update of prices. */
function thresholdsOf({ source, isNamed = true, clock, metrics, logger }: PriceStoreDeps) {
  let refused = false
  return {
    judge: (
      client: PoolClient,
      coins: readonly string[],
      rest: Unjudged | null,
      prices?: ReadPrices,
    ): Promise<CoinsJudgement | null> =>
      within(client, 'alerts', logger, async () => {
        const started = performance.now()
        const judgement = await judgeAlerts(client, source, coins, clock(), { isNamed, rest, prices })
        if (judgement === null && !refused) {
          const message = 'alerts are NOT judged: they last were by other prices. MARKET_DATA=%s judges them by these'
          logger?.warn({ source }, message, source)
        }
        refused = judgement === null
        metrics?.evaluated((performance.now() - started) / 1000)
        return judgement
      }),
  }
}

/** Judges rules as a part of an update of prices. */
function rulesOf({ source, isNamed = true, clock, logger, closes }: PriceStoreDeps) {
  const rules = rulesJudge(source)
  return {
    judge: (
      client: PoolClient,
      which: { readonly coins: readonly string[] } | { readonly rest: readonly string[] },
      matrix: DailyMatrix | null,
      stored: ReadPrices,
    ): Promise<RulesJudgement | null> =>
      within(client, 'rules', logger, async () => {
        const input: RulesInput = { matrix, stored, now: clock(), mayJudge: () => mayJudgeBy(client, source, isNamed) }
        const judged =
          'coins' in which
            ? await rules.judge(client, which.coins, input)
            : await rules.judgeRest(client, which.rest, input)
        return judged && { ...judged, unready: judged.unready && closes !== undefined }
      }),
  }
}

/** Judges extremes as a part of an update of prices. */
function extremesOf({ source, isNamed = true, clock, logger, closes }: PriceStoreDeps) {
  const judgeStandings = extremesJudge()
  return {
    judge: async (
      client: PoolClient,
      coins: readonly string[],
      matrix: DailyMatrix | null,
      stored: ReadPrices,
    ): Promise<FiredExtremes | 'unready' | null> => {
      if (closes === undefined) return null
      return within(client, 'extremes', logger, async () => {
        const mayJudge = () => mayJudgeBy(client, source, isNamed)
        const judged = await judgeStandings(client, coins, { matrix, stored, now: clock(), mayJudge })
        if (judged === 'unready') return judged
        return judged === 'left' ? fireExtremes(client, source) : null
      })
    },
  }
}
