import type { Historical } from '../contract/market'
import type { CoinId } from '../domain/ids'
import { type Period, PERIOD_RULES } from '../domain/period'
import { seriesFromPoints } from '../domain/series'
import { UNREACHED } from '../domain/unreached-words'
import { readHistory } from '../db/queries/history'
import { isSound } from '../db/sound-history'
import { writeServerLevels } from '../db/write-history'
import type { EngineEnv } from './env'
import { send } from './request'
import { agreesOnSource } from './settings'
import { withRoom, writeTransaction } from '../db/with-room'

/**
 * Fetches a coin's history of a period and merges it into the local levels.
 * @throws with the specification's sentence as message
 */
export async function fetchHistory(env: EngineEnv, coin: CoinId, period: Period): Promise<void> {
  const sentence = (detail: string): string => `Error fetching history for ${coin} (${period}): ${detail}`
  const detail = await loadHistory(env, coin, period).catch((error: unknown) => {
    throw new Error(sentence(error instanceof Error ? error.message : String(error)), { cause: error })
  })
  // Nothing answered: no error of this coin, and said like everywhere else.
  if (detail === UNREACHED) throw new Error(UNREACHED)
  if (detail !== null) throw new Error(sentence(detail))
}

/**
 * Returns why there is nothing new, or null after a success. The same coin and period is asked for by one at a time, over
 * all tabs and the service worker; whoever waited finds what the one before has brought.
 */
export async function loadHistory(env: EngineEnv, coin: CoinId, period: Period): Promise<string | null> {
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
      await withRoom(db, () => db.history_fetches.update([coin, period], { fetched_at: now() }))
      return null
    case 'refused':
      await withRoom(db, () => db.history_fetches.update([coin, period], { refused_at: now() }))
      return answer.message
    case 'unavailable':
      return answer.status === 0 ? UNREACHED : answer.message
    case 'not-mine':
      return 'The request was not sent.'
  }
}

/** Returns the ETag of what is stored; null where that is gone or damaged, since "unchanged" would not bring it back. */
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
