import type { Historical } from '../contract/market'
import { MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/period'
import { seriesFromPoints } from '../domain/series'
import { readHistory } from '../db/queries/history'
import type { HistoryFetchRow } from '../db/rows'
import { writeServerLevels } from '../db/write-history'
import { isSpaced } from './backoff'
import type { EngineEnv } from './env'
import { send } from './request'
import { agreesOnSource } from './settings'
import { stalePeriod } from './staleness'
import { watchedCoins } from './watched-coins'
import { writeTransaction } from '../db/with-room'

/** Milliseconds between two unasked attempts for the same coin and period. */
const FRESHEN_SPACING = 5 * MINUTE
/** Requests under way at once. */
const MAX_FETCHES = 4

/**
 * Fetches a coin's history of a period and merges it into the local levels.
 * @throws with the specification's sentence as message
 */
export async function fetchHistory(env: EngineEnv, coin: CoinId, period: Period): Promise<void> {
  const detail = await loadHistory(env, coin, period)
  if (detail !== null) throw new Error(`Error fetching history for ${coin} (${period}): ${detail}`)
}

/** Returns why there is nothing new, or null after a success. */
async function loadHistory(env: EngineEnv, coin: CoinId, period: Period): Promise<string | null> {
  const { db, now } = env
  const etag = await noteAttempt(env, coin, period)
  const answer = await send(env, { route: 'historical', params: { id: coin }, query: { period }, etag }, {})
  switch (answer.kind) {
    case 'ok': {
      const historical = answer.value as Historical
      if (!(await agreesOnSource(env, historical.source))) return 'The source of market data is changing.'
      await storeHistory(env, coin, period, historical, answer.etag)
      return null
    }
    case 'unchanged':
      await db.history_fetches.update([coin, period], { fetched_at: now() })
      return null
    case 'refused':
    case 'unavailable':
      return answer.message
    case 'not-mine':
      return 'The request was not sent.'
  }
}

/** Returns the ETag of what is stored. */
async function noteAttempt({ db, now }: EngineEnv, coin: CoinId, period: Period): Promise<string | null> {
  return writeTransaction(db, [db.history_fetches], async () => {
    const before = await db.history_fetches.get([coin, period])
    const { fetched_at = null, etag = null } = before ?? {}
    await db.history_fetches.put({ coin_id: coin, period, attempted_at: now(), fetched_at, etag })
    return etag
  })
}

async function storeHistory(
  { db, now }: EngineEnv,
  coin: CoinId,
  period: Period,
  { data, granularity, source, backfill }: Historical,
  etag: string | null,
): Promise<void> {
  const levels = [{ granularity, data }, ...backfill].map((level) => ({
    coin,
    source,
    granularity: level.granularity,
    series: seriesFromPoints(level.data),
  }))
  await writeTransaction(db, [db.history, db.history_fetches], async () => {
    await writeServerLevels(db, levels, now())
    await db.history_fetches.put({ coin_id: coin, period, attempted_at: now(), fetched_at: now(), etag })
  })
}

/** Whether the last attempt has brought nothing. */
const isOwed = (fetch: HistoryFetchRow | undefined): boolean =>
  fetch !== undefined && (fetch.fetched_at === null || fetch.fetched_at < fetch.attempted_at)

/**
 * Fetches what the staleness table names for the coins on the board, and the last day with it, so that five-minute data
 * is fresh too. A coin that fails is asked for again later; it does not keep the others waiting.
 */
export async function freshenHistory(env: EngineEnv): Promise<void> {
  const { db, now } = env
  const wanted: { coin: CoinId; period: Period }[] = []
  for (const coin of await watchedCoins(db)) {
    const row = await readHistory(db, coin, 'fiveMinutely')
    // Live prices keep the newest point fresh, and so would hide for good a past that could not be had.
    const owed = isOwed(await db.history_fetches.get([coin, '1d'])) ? '1d' : null
    const period = stalePeriod(row?.times.at(-1) ?? null, now()) ?? owed
    if (period === null) continue
    for (const one of new Set<Period>([period, '1d'])) {
      const before = await db.history_fetches.get([coin, one])
      if (isSpaced(before?.attempted_at, FRESHEN_SPACING, now())) wanted.push({ coin, period: one })
    }
  }
  const fetchers = Array.from({ length: MAX_FETCHES }, async () => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      // The attempt is noted; why it failed is said when somebody opens the chart, which asks again.
      await loadHistory(env, next.coin, next.period)
    }
  })
  await Promise.all(fetchers)
}
