import { type LocalDatabase, readMeta } from '../db/database'
import { isVersionOutdated, noteHeld, readAnnounced } from '../db/held-revisions'
import { readClockAhead } from '../db/server-clock'
import type { DailyClosesRow, MetaRows } from '../db/rows'
import { isStorageFull } from '../db/quota-eviction'
import { closesOf, type DailyMatrix, decodeDailyMatrix, utcDayOf } from '../domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../domain/granularity'
import type { CoinId } from '../domain/ids'
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
/** Milliseconds between two attempts for own coins that the stored matrix knows too little of: as long as it has lacked them. */
const LACKING_SPACING = { shortest: 25_000, longest: HOUR }
/** Milliseconds between two attempts of which the later one is for coins that were added, or whose closes the stream has told of. */
const NEWS_SPACING = 5_000
/** Milliseconds between two questions after a past that the server asks for in its turn. */
const FILLING_SPACING = HOUR
/** Milliseconds for which "no such route" of an older server counts as an answer. */
const REFUSAL_HOLDS = DAY
const REFUSED = 'daily_closes_refused'

/**
 * Loads the matrix of daily closes: where none is stored, once a day after it has ended, once the stream says that closes of
 * own coins have come, while the stored one lacks those of own coins, and hourly while it lacks those of many of the best.
 */
export async function syncDailyCloses(env: EngineEnv): Promise<void> {
  const { db, now } = env
  const due = await closesDue(env)
  if (due === null || due.at > now() || (await claimWork(env, 'daily_closes', due.spacing)) === null) return
  const told = await readAnnounced(db, 'closes')
  await noteLacking(env)
  const row = await db.daily_closes.get('usd')
  const answer = await send(env, { route: 'dailyCloses', etag: row?.etag ?? null }, {})
  // After any answer: coins that are lacking still have times of their own.
  await noteHeld(db, 'closes', told)
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

interface Due {
  /** Milliseconds. */
  readonly at: number
  /** Milliseconds since the attempt before. */
  readonly spacing: number
}

export async function areClosesDue(env: EngineEnv): Promise<boolean> {
  const due = await closesDue(env)
  return due !== null && due.at <= env.now()
}

/** Milliseconds at which closes of own coins are asked for that the stored matrix lacks; null: it lacks none. */
export async function closesDueAt(env: EngineEnv): Promise<number | null> {
  const due = await closesDue(env)
  return due === null || due.spacing === SPACING ? null : due.at
}

async function closesDue(env: EngineEnv): Promise<Due | null> {
  const { db, now } = env
  const [row, begun, versions] = await Promise.all([
    db.daily_closes.get('usd'),
    readMeta(db, 'begun'),
    readMeta(db, 'versions'),
  ])
  if (!isSpaced(begun?.[REFUSED], REFUSAL_HOLDS, now())) return null
  const atOnce = { at: now(), spacing: SPACING }
  if (row === undefined) return atOnce
  const serverNow = now() - (await readClockAhead(db))
  // Clocks that were set back have written days that have not come yet.
  const lastDay = utcDayOf(serverNow - DAY_CLOSES_WITHIN) - 1
  if (row.last_day < lastDay || row.last_day > lastDay + 1) return atOnce
  const after = (spacing: number): Due => {
    const last = begun?.['daily_closes'] ?? 0
    return { at: last > now() ? now() : last + spacing, spacing }
  }
  if (isVersionOutdated(versions, 'closes')) return after(NEWS_SPACING)
  const coins = await ownLacking(db, row)
  if (coins !== '') return after(coins === row.lacking?.coins ? lackingSpacing(row.lacking.since, begun) : NEWS_SPACING)
  return isSpaced(row.fetched_at, FILLING_SPACING, now()) && isHalfFilled(row) ? atOnce : null
}

/** Doubles the time from one attempt to the next. */
function lackingSpacing(since: number, begun: MetaRows['begun'] | undefined): number {
  const { shortest, longest } = LACKING_SPACING
  return Math.min(longest, Math.max(shortest, (begun?.['daily_closes'] ?? 0) - since))
}

/** Own coins of which the stored matrix has no newest close, or too few for any figure; '': it has enough of all. */
async function ownLacking(db: LocalDatabase, row: DailyClosesRow): Promise<string> {
  const known = new Set<string>(row.known ?? knownCoins(decodeDailyMatrix(row.matrix)))
  return (await watchedCoins(db))
    .filter((coin) => !known.has(coin))
    .toSorted()
    .join()
}

/** Notes since when the stored matrix lacks own coins: others than before are asked for sooner. */
async function noteLacking({ db, now }: EngineEnv): Promise<void> {
  const row = await db.daily_closes.get('usd')
  if (row === undefined) return
  const coins = await ownLacking(db, row)
  if (coins !== (row.lacking?.coins ?? '')) await db.daily_closes.update('usd', { lacking: { coins, since: now() } })
}

/** Share of the best coins that may be without a past for good, such as newly listed ones. */
const USUALLY_MISSING = 0.2

/** True while the server has too few closes of many of the best coins. */
function isHalfFilled({ matrix, known }: DailyClosesRow): boolean {
  const decoded = decodeDailyMatrix(matrix)
  if (decoded === null) return true
  const { ranked, coins } = decoded
  const has = new Set(known ?? knownCoins(decoded))
  return coins.slice(0, ranked).filter((coin) => !has.has(coin)).length > USUALLY_MISSING * ranked
}

/** Coins of which the matrix has the newest close, and enough for any figure. A close that is left out as wrong counts. */
function knownCoins(matrix: DailyMatrix | null): readonly CoinId[] {
  if (matrix === null) return []
  const { days, leftOut, frozenSince } = matrix
  return matrix.coins.filter((_, row) => {
    const closes = closesOf(matrix, row)
    const isNewest = closes[days - 1]! > 0 || leftOut?.get(row)?.includes(days - 1) || frozenSince?.has(row)
    return isNewest && closes.filter((close) => close > 0).length >= MIN_COMMON_DAYS
  })
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
    known: knownCoins(matrix),
  }
  try {
    // Nothing is evicted for them: what they would displace is of more use, and would displace them in turn.
    await db.daily_closes.put({ ...row, lacking: (await db.daily_closes.get('usd'))?.lacking })
  } catch (error) {
    if (!isStorageFull(error)) throw error
    return fail(env, 507, 'Storage on this device is full.')
  }
  await noteLacking(env)
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
