import { lt } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import {
  closesOf,
  type CoinKind,
  type DailyMatrix,
  encodeDailyMatrix,
  MATRIX_COINS,
  MATRIX_DAYS,
  utcDayOf,
} from '../../../../src/domain/daily-matrix'
import { leaveOutWrongCloses } from '../../../../src/domain/wrong-closes'
import { DAY, HOUR, MINUTE } from '../../../../src/domain/granularity'
import type { Series } from '../../../../src/domain/series'
import { market_closes } from '../../../db/schema/market'
import type { Outdated } from '../../removal-job'
import { type CoinList, IN_ORDER, type KnownCoin } from '../coin-list'
import type { CoinId } from '../../../../src/domain/ids'
import { MIN_COMMON_DAYS, MIN_WINDOW_DAYS } from '../../../../src/domain/pair-statistics'
import { KeptBody } from '../../../http/kept-body'
import { shareReads } from '../../../waits'
import type { LatestPrices } from '../prices/stored-prices'
import { idsOfWatched } from '../prices/watched-coins'

/** Days that closes are kept: those of the matrix, and some more for clocks that disagree. */
const KEPT_DAYS = 400

type Client = Pick<PoolClient, 'query'>

/** SQL of the day whose end is nearest to the time `at`, and of the milliseconds between the two. */
const nearestDay = (at: string): string => `((${at} + ${DAY / 2}) / ${DAY} - 1)`
const distance = (at: string, day: string): string => `abs(${at} - (${day}::bigint + 1) * ${DAY})`

/**
 * Writes observations (`coin_key`, `usd`, `at`) as closes: each counts for the day whose end it is nearest to, and replaces
 * one that is farther from that end. A coin of which a day that has ended got another close gets another version. Rows of both
 * tables are taken in order, since several processes write, and the list of coins may come at the same moment.
 * @param observed a SELECT; its parameters begin at $3
 */
const writing = (observed: string): string => `
WITH observed AS (${observed}), near AS (
  SELECT DISTINCT ON (coin_key, day) coin_key, day, usd, at
  FROM (SELECT coin_key, ${nearestDay('at')}::int AS day, usd, at FROM observed WHERE usd > 0 AND at <= $1) given
  ORDER BY coin_key, day, ${distance('at', 'day')}
), written AS (
  INSERT INTO market_closes AS c (coin_key, day, usd, at) SELECT coin_key, day, usd, at FROM near ORDER BY coin_key, day
  ON CONFLICT (coin_key, day) DO UPDATE SET usd = excluded.usd, at = excluded.at
    WHERE ${distance('excluded.at', 'c.day')} < ${distance('c.at', 'c.day')}
  RETURNING coin_key, day
)
UPDATE market_coins c SET closes_version = c.closes_version + 1
FROM (SELECT key FROM market_coins WHERE key IN (SELECT coin_key FROM written WHERE day < $2) ${IN_ORDER}) held
WHERE c.key = held.key`

const OF_PRICES = writing(
  `SELECT p.coin_key, p.usd, p.at FROM market_prices p JOIN market_coins c ON c.key = p.coin_key
   WHERE c.source = $3 AND p.seen_at > $4`,
)
const OF_SERIES = writing(
  'SELECT $3::int AS coin_key, usd, at FROM unnest($4::float8[], $5::bigint[]) AS given (usd, at)',
)

/**
 * Writes the latest prices of a source as closes.
 * @param since milliseconds: prices that this server had before then were written before, however old they were themselves
 */
export async function closeDays(client: Client, source: MarketSource, since: number, now: number): Promise<void> {
  await client.query(OF_PRICES, [now, utcDayOf(now), source, since])
}

/** Writes a provider's daily points of a coin as closes. */
export async function writeCloses(client: Client, coinKey: number, series: Series, now: number): Promise<void> {
  const from = now - KEPT_DAYS * DAY
  const kept = [...series.times.keys()].filter((index) => series.times[index]! >= from)
  if (kept.length === 0) return
  await client.query(OF_SERIES, [
    now,
    utcDayOf(now),
    coinKey,
    kept.map((index) => series.prices[index]!),
    kept.map((index) => Math.trunc(series.times[index]!)),
  ])
}

/** A coin of the matrix, and the state of its closes. */
interface CoinCloses {
  readonly key: number
  readonly id: string
  /** Counts the writes of closes of days that had ended. */
  readonly version: number
  readonly kind: CoinKind | null
}

/** The coins with these ids, in their order; those that the source never listed are left out. */
async function closesOfCoins(pool: Pool, source: MarketSource, ids: readonly string[]): Promise<CoinCloses[]> {
  const { rows } = await pool.query<CoinCloses>(
    `SELECT c.key, c.id, c.closes_version AS version, c.kind
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, place) JOIN market_coins c ON c.source = $1 AND c.id = wanted.id
     ORDER BY wanted.place`,
    [source, ids],
  )
  return rows
}

/** A price beyond these is no Float32, and the database refuses to make one of it. */
const FLOAT32 = 'usd BETWEEN 1e-37 AND 1e37'

/**
 * The closes of coins over `days` days from `firstDay` on, by coin key; NaN: not known. Coins without any close are left
 * out. The database packs each coin's row, since half a million numbers as text take a process seconds to read.
 */
async function readCloses(
  pool: Pool,
  coinKeys: readonly number[],
  firstDay: number,
  days: number,
): Promise<ReadonlyMap<number, Float32Array>> {
  const { rows } = await pool.query<{ key: number; packed: Buffer }>(
    `SELECT coin_key AS key, string_agg(int4send(day - $2) || float4send(usd::real), ''::bytea) AS packed
     FROM market_closes WHERE coin_key = ANY ($1::int[]) AND day BETWEEN $2 AND $3 AND ${FLOAT32} GROUP BY coin_key`,
    [coinKeys, firstDay, firstDay + days - 1],
  )
  return new Map(rows.map(({ key, packed }) => [key, unpacked(packed, days)]))
}

/** Of each close its place and its price, as PostgreSQL sends numbers: with the highest byte first. */
function unpacked(packed: Uint8Array, days: number): Float32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const closes = new Float32Array(days).fill(NaN)
  for (let at = 0; at < packed.byteLength; at += 8) closes[view.getInt32(at)] = view.getFloat32(at + 4)
  return closes
}

/** Coins whose old closes one statement removes. */
const COINS_AT_ONCE = 100

/** Closes of days that are no longer served. */
export const outdatedCloses = (now: number): readonly Outdated[] => [
  [market_closes, lt(market_closes.day, utcDayOf(now) - KEPT_DAYS)],
]

/** Forgets those closes. */
export async function dropOldCloses(pool: Pool, now: number, signal: AbortSignal): Promise<void> {
  let last = 0
  for (;;) {
    const { rows } = await pool.query<{ key: number }>(
      'SELECT key FROM market_coins WHERE key > $1 ORDER BY key LIMIT $2',
      [last, COINS_AT_ONCE],
    )
    const end = rows.at(-1)
    if (end === undefined || signal.aborted) return
    await pool.query('DELETE FROM market_closes WHERE coin_key = ANY ($1::int[]) AND day < $2', [
      rows.map(({ key }) => key),
      utcDayOf(now) - KEPT_DAYS,
    ])
    last = end.key
  }
}

/** How long an answer is given again before anything is looked up, milliseconds. */
const TRUST_MS = MINUTE

interface DailyClosesDeps {
  readonly pool: Pool
  readonly source: MarketSource
  readonly clock: () => number
  readonly list: Pick<CoinList, 'all'>
  readonly latest: Pick<LatestPrices, 'all'>
}

/** A matrix as it is sent, and the state that it was made of. */
interface MadeMatrix {
  readonly of: string
  /** Hour in which it holds, since a newest close was in doubt; null: it holds as long as the state does. */
  readonly untilHour: number | null
  readonly matrix: DailyMatrix
  readonly body: KeptBody
  /** Coins of which it has enough for any figure. */
  readonly known: ReadonlySet<string>
}

/** The best coins by market cap, best first, from the list of all. */
export const bestCoins = (all: readonly KnownCoin[]): readonly string[] =>
  all
    .filter((coin) => coin.market_cap_rank !== null)
    .map(({ id }) => id)
    .slice(0, MATRIX_COINS)

/**
 * The matrix of daily closes as all clients get it, without those that look wrong. It is made anew once a close, the day or
 * the coins have changed, looked for once a minute at most, and hourly while the newest close of a coin is in doubt.
 */
export function dailyCloses({ pool, source, clock, list, latest }: DailyClosesDeps) {
  let made: MadeMatrix | null = null

  async function matrix(coins: readonly CoinCloses[], ranked: number, lastDay: number) {
    const firstDay = lastDay - MATRIX_DAYS + 1
    const closes = await readCloses(
      pool,
      coins.map(({ key }) => key),
      firstDay,
      MATRIX_DAYS,
    )
    // A coin that is only watched says nothing as long as too little is known of it; the best keep their places.
    const known = (key: number) => closes.get(key)?.reduce((days, close) => days + (close > 0 ? 1 : 0), 0) ?? 0
    const shown = coins.filter(({ key }, index) => index < ranked || known(key) >= MIN_WINDOW_DAYS)
    const prices = new Float32Array(shown.length * MATRIX_DAYS).fill(NaN)
    for (const [row, { key }] of shown.entries()) prices.set(closes.get(key) ?? [], row * MATRIX_DAYS)
    const ids = shown.map(({ id }) => id as CoinId)
    const kinds = new Map(shown.flatMap(({ kind }, row) => (kind === null ? [] : [[row, kind] as const])))
    const spot = await latest.all()
    return leaveOutWrongCloses(
      { source, firstDay, days: MATRIX_DAYS, ranked, coins: ids, prices, kinds },
      Float64Array.from(ids, (id) => spot.get(id)?.usd ?? NaN),
    )
  }

  async function look(now: number): Promise<MadeMatrix> {
    const best = bestCoins(await list.all())
    // By their ids: the order in which they are polled changes with each poll, and differs between processes.
    const others = (await idsOfWatched(pool, source, now)).filter((id) => !best.includes(id)).toSorted()
    const coins = await closesOfCoins(pool, source, [...best, ...others])
    const lastDay = utcDayOf(now) - 1
    const of = JSON.stringify([lastDay, best.length, coins.map(({ key, version, kind }) => [key, version, kind])])
    const hour = Math.floor(now / HOUR)
    if (made === null || made.of !== of || (made.untilHour !== null && made.untilHour !== hour)) {
      const judged = await matrix(coins, best.length, lastDay)
      const body = new KeptBody(Buffer.from(encodeDailyMatrix(judged)), 'application/octet-stream')
      made = { of, untilHour: judged.isDoubtful ? hour : null, matrix: judged, body, known: knownCoins(judged) }
    }
    return made
  }

  const answer = shareReads(async (now: number) => (await look(now)).body, TRUST_MS - 1, clock)
  // Alerts are judged before a client has asked: what they are judged by is not yet what a client is answered for a minute.
  const judging = shareReads(async (now: number) => (await look(now)).matrix, TRUST_MS - 1, clock)
  return {
    get: answer.get,
    /** The same matrix, for this process; the same object as long as the closes are the same. */
    matrix: judging.get,
    /** Others have come: the next answer is looked for. */
    forget: () => {
      answer.forget()
      judging.forget()
    },
    /** Those of these coins of which the last answer had too little for any figure, or that it had not at all. */
    lacking: (ids: readonly string[]): readonly string[] => ids.filter((id) => made?.known.has(id) !== true),
  }
}

const knownCoins = (matrix: DailyMatrix): ReadonlySet<string> =>
  new Set(matrix.coins.filter((_, row) => closesOf(matrix, row).filter((close) => close > 0).length >= MIN_COMMON_DAYS))
