import { readMeta } from '../db/database'
import { readClockAhead } from '../db/server-clock'
import type { DailyClosesRow } from '../db/rows'
import { isStorageFull } from '../db/quota-eviction'
import { closesOf, type DailyMatrix, decodeDailyMatrix, utcDayOf } from '../domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../domain/granularity'
import { MIN_COMMON_DAYS } from '../domain/pair-statistics'
import type { EngineEnv } from './env'
import { claimWork, isSpaced } from './pacing'
import { watchedCoins } from './prices'
import { agreesOnSource } from './reference-data'
import { report } from './report'
import { NOT_UNDERSTOOD, send } from './request'

/** Milliseconds after midnight UTC by which the server has the closes of the day before. */
const DAY_CLOSES_WITHIN = 15 * MINUTE
/** Milliseconds between two attempts. */
const SPACING = 20 * MINUTE
/** Milliseconds between two questions after a past that the server asks for in its turn. */
const FILLING_SPACING = HOUR
/** Milliseconds for which "no such route" of an older server counts as an answer. */
const REFUSAL_HOLDS = DAY
const REFUSED = 'daily_closes_refused'

/**
 * Loads the matrix of daily closes: where none is stored, once a day after it has ended, and hourly while the server has
 * not got the past or the newest close of the user's own coins, or of many of the best.
 */
export async function syncDailyCloses(env: EngineEnv): Promise<void> {
  const { db, now } = env
  if (!(await areClosesDue(env)) || (await claimWork(env, 'daily_closes', SPACING)) === null) return
  const row = await db.daily_closes.get('usd')
  const answer = await send(env, { route: 'dailyCloses', etag: row?.etag ?? null }, {})
  switch (answer.kind) {
    case 'ok':
      return storeMatrix(env, answer.value as ArrayBuffer, answer.etag)
    case 'unchanged':
      await db.daily_closes.update('usd', { fetched_at: now() })
      return report(env, 'daily_closes', { kind: 'ok' })
    case 'unavailable':
      // Another program's "not found" is that of an older server behind a proxy.
      if (answer.status === 404) return noteRefusal(env)
      return fail(env, answer.status, answer.message)
    case 'refused':
      return noteRefusal(env)
    case 'not-mine':
      return
  }
}

export async function areClosesDue(env: EngineEnv): Promise<boolean> {
  const { db, now } = env
  const [row, begun] = await Promise.all([db.daily_closes.get('usd'), readMeta(db, 'begun')])
  if (!isSpaced(begun?.[REFUSED], REFUSAL_HOLDS, now())) return false
  if (row === undefined) return true
  const serverNow = now() - (await readClockAhead(db))
  // Clocks that were set back have written days that have not come yet.
  const lastDay = utcDayOf(serverNow - DAY_CLOSES_WITHIN) - 1
  if (row.last_day < lastDay || row.last_day > lastDay + 1) return true
  return isSpaced(row.fetched_at, FILLING_SPACING, now()) && (await isHalfFilled(env, row))
}

/** Share of the best coins that may be without a past for good, such as newly listed ones. */
const USUALLY_MISSING = 0.2

/**
 * True while the server lacks the newest close of a coin of the user's pairs, or of many of the best coins, or has too few
 * closes of them for any figure.
 */
async function isHalfFilled({ db }: EngineEnv, { matrix }: DailyClosesRow): Promise<boolean> {
  const decoded = decodeDailyMatrix(matrix)
  if (decoded === null) return true
  const isMissing = (coin: string): boolean => {
    const closes = knownCloses(decoded, coin)
    return !closes.has(decoded.days - 1) || closes.size < MIN_COMMON_DAYS
  }
  const { ranked, coins } = decoded
  if (coins.slice(0, ranked).filter(isMissing).length > USUALLY_MISSING * ranked) return true
  return (await watchedCoins(db)).some(isMissing)
}

/** The columns that hold a close of the coin. */
function knownCloses(matrix: DailyMatrix, coin: string): ReadonlySet<number> {
  const row = (matrix.coins as readonly string[]).indexOf(coin)
  if (row === -1) return new Set()
  return new Set([...closesOf(matrix, row).keys()].filter((day) => closesOf(matrix, row)[day]! > 0))
}

async function storeMatrix(env: EngineEnv, bytes: ArrayBuffer, etag: string | null): Promise<void> {
  const { db, now } = env
  const matrix = decodeDailyMatrix(bytes)
  if (matrix === null) return fail(env, 200, NOT_UNDERSTOOD)
  if (!(await agreesOnSource(env, matrix.source))) return
  const row: DailyClosesRow = {
    key: 'usd',
    source: matrix.source as DailyClosesRow['source'],
    matrix: bytes,
    etag,
    last_day: matrix.firstDay + matrix.days - 1,
    fetched_at: now(),
  }
  try {
    // Nothing is evicted for them: what they would displace is of more use, and would displace them in turn.
    await db.daily_closes.put(row)
  } catch (error) {
    if (!isStorageFull(error)) throw error
    return fail(env, 507, 'Storage on this device is full.')
  }
  await report(env, 'daily_closes', { kind: 'ok' })
}

const fail = (env: EngineEnv, status: number, detail: string): Promise<void> =>
  report(env, 'daily_closes', {
    kind: 'failed',
    status,
    sentence: `Failed to load daily closes: ${detail}`,
    isShown: true,
  })

async function noteRefusal(env: EngineEnv): Promise<void> {
  await claimWork(env, REFUSED, 0)
}
