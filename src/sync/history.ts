import type { Historical } from '../contract/market'
import type { CallInput, CallResult } from '../db/call'
import { historyId, isSound, readHistory, writeServerLevels } from '../db/history-rows'
import type { HistoryFetchRow } from '../db/rows'
import { withEviction, writeTransaction } from '../db/write-transaction'
import { messageOf, UNREACHED } from '../domain/error-message'
import { BUCKET_MS, DAY, MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
import { type Period, PERIOD_RULES, PERIODS } from '../domain/chart-periods'
import { seriesFromPoints, viewOf } from '../domain/series'
import { failed } from './call-result'
import type { EngineEnv } from './env'
import { isSpaced } from './pacing'
import { watchedCoins } from './prices'
import { send } from './request'
import { agreesOnSource } from './reference-data'

/** Fetches a coin's history of a period and merges it into the local levels. A failure's message is the specification's sentence. */
export async function fetchHistory(env: EngineEnv, { id, period }: CallInput<'historical'>): Promise<CallResult<null>> {
  const sentence = (detail: string): string => `Error fetching history for ${id} (${period}): ${detail}`
  try {
    const detail = await loadHistory(env, id, period)
    if (detail === null) return { ok: true, value: null }
    // Nothing answered: no error of this coin.
    return failed(0, detail === UNREACHED ? UNREACHED : sentence(detail))
  } catch (error) {
    return failed(0, sentence(messageOf(error)))
  }
}

/**
 * Returns why there is nothing new, or null after a success. One request at a time for a coin and period over all tabs
 * and the service worker; a caller that waited finds the data of the request before.
 */
async function loadHistory(env: EngineEnv, coin: CoinId, period: Period): Promise<string | null> {
  const { db, locks, now } = env
  const wanted = now()
  return locks.request(`history:${coin}:${period}`, async () => {
    const fetched = (await db.history_fetches.get([coin, period]))?.fetched_at ?? null
    // A time in the future was written by a clock that was wrong.
    const isBrought = fetched !== null && fetched > wanted && fetched <= now()
    return isBrought ? null : askServer(env, coin, period)
  })
}

async function askServer(env: EngineEnv, coin: CoinId, period: Period): Promise<string | null> {
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
      await withEviction(db, () => db.history_fetches.update([coin, period], { fetched_at: now() }))
      return null
    case 'refused':
      await withEviction(db, () => db.history_fetches.update([coin, period], { refused_at: now() }))
      return answer.message
    case 'unavailable':
      return answer.status === 0 ? UNREACHED : answer.message
    case 'not-mine':
      return 'The request was not sent.'
  }
}

/** Returns the ETag of the stored series; null where those are gone or damaged, since "unchanged" would not restore them. */
async function noteAttempt({ db, now }: EngineEnv, coin: CoinId, period: Period): Promise<string | null> {
  return writeTransaction(db, [db.history, db.history_fetches], async () => {
    const before = await db.history_fetches.get([coin, period])
    const row = await readHistory(db, coin, PERIOD_RULES[period].granularity)
    const fetched_at = before?.fetched_at == null || before.fetched_at > now() ? null : before.fetched_at
    const etag = row !== undefined && isSound(row) ? (before?.etag ?? null) : null
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
  await writeTransaction(db, [db.history, db.history_fetches, db.meta], async () => {
    await writeServerLevels(db, levels, now())
    await db.history_fetches.put({ coin_id: coin, period, attempted_at: now(), fetched_at: now(), etag })
  })
}

/**
 * The period to fetch for a coin whose newest five-minute point stands at `newest`; null: the point is fresh enough. A
 * point in the future counts as none: the clock that wrote it was wrong.
 * @param newest milliseconds; null: there is no point
 */
export function stalePeriod(newest: number | null, now: number): Period | null {
  if (newest === null || newest > now + 15 * MINUTE) return '1d'
  const age = now - newest
  if (age > 90 * DAY) return '1y'
  if (age > 7 * DAY) return '3m'
  if (age > DAY) return '7d'
  return age > 15 * MINUTE ? '1d' : null
}

/** Milliseconds between two attempts of the engine by itself for the same coin and period. */
const FRESHEN_SPACING = 5 * MINUTE
/** Requests under way at once. */
const MAX_FETCHES = 4

/** Milliseconds for which a refusal counts as an answer, such as for a coin that the server no longer lists. */
const REFUSAL_HOLDS = DAY

/** True if the last attempt has failed. */
const isOwed = (fetch: HistoryFetchRow | undefined): boolean =>
  fetch !== undefined && (fetch.fetched_at === null || fetch.fetched_at < fetch.attempted_at)

const isRefused = (fetch: HistoryFetchRow | undefined, now: number): boolean =>
  fetch?.refused_at != null && !isSpaced(fetch.refused_at, REFUSAL_HOLDS, now)

/** The coin and period of each request that is due now, read in one transaction for all coins. */
export async function dueHistory({ db, now }: EngineEnv): Promise<[CoinId, Period][]> {
  const coins = await watchedCoins(db)
  const keys = coins.flatMap((coin) => PERIODS.map((period): [CoinId, Period] => [coin, period]))
  const [rows, fetches] = await db.transaction('r', [db.history, db.history_fetches], () =>
    Promise.all([
      db.history.bulkGet(coins.map((coin) => historyId(coin, 'fiveMinutely'))),
      db.history_fetches.bulkGet(keys),
    ]),
  )
  const isAllowed = (fetch: HistoryFetchRow | undefined): boolean =>
    isSpaced(fetch?.attempted_at, FRESHEN_SPACING, now()) && !isRefused(fetch, now())
  return coins.flatMap((coin, at) => {
    const ofPeriod = new Map(PERIODS.map((period, index) => [period, fetches[at * PERIODS.length + index]]))
    // Live prices keep the newest point fresh, and so would hide for good a past whose fetch failed.
    const periods = new Set(PERIODS.filter((period) => isOwed(ofPeriod.get(period))))
    const row = rows[at]
    // Points further ahead were written by a clock that was wrong.
    const newest = row && viewOf(row, -Infinity, now() + BUCKET_MS.fiveMinutely).times.at(-1)
    const stale = stalePeriod(newest ?? null, now())
    if (stale !== null) periods.add(stale).add('1d')
    return [...periods]
      .filter((period) => isAllowed(ofPeriod.get(period)))
      .map((period): [CoinId, Period] => [coin, period])
  })
}

/**
 * Fetches what the staleness table names for the coins on the board, and the last day with it, so that five-minute data
 * is fresh too. A coin that fails is tried again later and does not delay the others.
 */
export async function freshenHistory(env: EngineEnv): Promise<void> {
  const due = await dueHistory(env)
  const fetchers = Array.from({ length: MAX_FETCHES }, async () => {
    // The user sees why an attempt failed on opening the chart, which asks again.
    for (let next = due.shift(); next !== undefined; next = due.shift()) await loadHistory(env, ...next)
  })
  await Promise.all(fetchers)
}
