import { BUCKET_MS, DAY, MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { type Period, PERIODS } from '../domain/period'
import { viewOf } from '../domain/series'
import { readHistory } from '../db/queries/history'
import type { HistoryFetchRow, HistoryRow } from '../db/rows'
import { isSpaced } from './backoff'
import type { EngineEnv } from './env'
import { loadHistory } from './history'
import { stalePeriod } from './staleness'
import { watchedCoins } from './watched-coins'

/** Milliseconds between two unasked attempts for the same coin and period. */
const FRESHEN_SPACING = 5 * MINUTE
/** Requests under way at once. */
const MAX_FETCHES = 4

/** Milliseconds for which a refusal counts as an answer, such as for a coin that the server no longer lists. */
const REFUSAL_HOLDS = DAY

/** True if the last attempt has brought nothing. */
const isOwed = (fetch: HistoryFetchRow | undefined): boolean =>
  fetch !== undefined && (fetch.fetched_at === null || fetch.fetched_at < fetch.attempted_at)

const isRefused = (fetch: HistoryFetchRow | undefined, now: number): boolean =>
  fetch?.refused_at != null && !isSpaced(fetch.refused_at, REFUSAL_HOLDS, now)

/**
 * Milliseconds of the newest point that a right clock can have written; null: there is none.
 * @param until the present, milliseconds
 */
function newestBefore(row: HistoryRow | undefined, until: number): number | null {
  if (row === undefined) return null
  return viewOf(row, -Infinity, until + BUCKET_MS.fiveMinutely).times.at(-1) ?? null
}

interface Wanted {
  readonly coin: CoinId
  readonly period: Period
}

/** What is to be fetched for a coin now. */
async function wantedOf({ db, now }: EngineEnv, coin: CoinId): Promise<readonly Wanted[]> {
  const row = await readHistory(db, coin, 'fiveMinutely')
  const keys = PERIODS.map((period): [CoinId, Period] => [coin, period])
  const fetches = new Map((await db.history_fetches.bulkGet(keys)).map((fetch, index) => [PERIODS[index]!, fetch]))
  // Live prices keep the newest point fresh, and so would hide for good a past that could not be had.
  const periods = new Set(PERIODS.filter((period) => isOwed(fetches.get(period))))
  const stale = stalePeriod(newestBefore(row, now()), now())
  if (stale !== null) periods.add(stale).add('1d')
  return [...periods]
    .filter((period) => isSpaced(fetches.get(period)?.attempted_at, FRESHEN_SPACING, now()))
    .filter((period) => !isRefused(fetches.get(period), now()))
    .map((period) => ({ coin, period }))
}

/**
 * Fetches what the staleness table names for the coins on the board, and the last day with it, so that five-minute data
 * is fresh too. A coin that fails is asked for again later; it does not keep the others waiting.
 */
export async function freshenHistory(env: EngineEnv): Promise<void> {
  const coins = await watchedCoins(env.db)
  const wanted = (await Promise.all(coins.map((coin) => wantedOf(env, coin)))).flat()
  const fetchers = Array.from({ length: MAX_FETCHES }, async () => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      // The attempt is noted; why it failed is said when somebody opens the chart, which asks again.
      await loadHistory(env, next.coin, next.period)
    }
  })
  await Promise.all(fetchers)
}
