import { transfer } from 'comlink'
import { type LocalDatabase, readPrices } from '../src/db/database'
import { readDailyMatrix, type StoredMatrix } from '../src/db/queries/daily-closes'
import { historyId, isSound, readHistory } from '../src/db/history-rows'
import type { HistoryRow, PricesRow } from '../src/db/rows'
import { readClockAhead } from '../src/db/server-clock'
import { readTickSeries } from '../src/db/write-prices'
import { mergeBuckets } from '../src/domain/aggregation'
import { agedStanding } from '../src/domain/ages'
import { computeChart } from '../src/domain/chart'
import { csvChunks, priceRows } from '../src/domain/csv'
import { closesOf, dayEnd } from '../src/domain/daily-matrix'
import {
  BUCKET_MS,
  coarserThan,
  DAY,
  finerThan,
  GRANULARITIES,
  type Granularity,
  HOUR,
} from '../src/domain/granularity'
import type { CoinId } from '../src/domain/ids'
import { type LivePrices, livePricesOf } from '../src/domain/live-prices'
import { ratioOf } from '../src/domain/pair'
import { chartWindow, newestOf } from '../src/domain/pair-series'
import { isEnough, isUnbroken, type Records } from '../src/domain/choose-series'
import { pairCloses } from '../src/domain/pair-statistics'
import { type CoinDay, summarize } from '../src/domain/pair-summary'
import { type Period, PERIOD_RULES } from '../src/domain/chart-periods'
import { closeWith, copyOf, type RatioSeries, sliceRatios } from '../src/domain/ratio-series'
import { emptySeries, inOrder, type Series, viewOf } from '../src/domain/series'
import type { ChartAnswer, ChartBasis, ChartRequest, CsvRequest, PairIds, PairSummary, RatioHistory } from './api'

/** A coin's records of one market-data source, finest level first. */
type CoinRows = readonly HistoryRow[]

/** The coins' records of these levels, whatever their source; those that are not there are left out. */
async function readLevels(
  db: LocalDatabase,
  coins: readonly CoinId[],
  levels: readonly Granularity[],
): Promise<CoinRows> {
  const rows = await db.history.bulkGet(coins.flatMap((coin) => levels.map((level) => historyId(coin, level))))
  return rows.filter((row) => row !== undefined)
}

/**
 * The records for a chart, without points that a clock which was ahead has written into the future.
 * @param now milliseconds
 */
const recordsOf = (rows: CoinRows, now: number): Records =>
  Object.fromEntries(rows.map((row) => [row.granularity, isSound(row) ? upTo(row, now) : ('unreadable' as const)]))

const upTo = (row: HistoryRow, now: number): Series => viewOf(inOrder(row), -Infinity, now + BUCKET_MS[row.granularity])

/** True if the server has ever given the record; else all its points come from this device's own ticks. */
const isFetched = (row: HistoryRow): boolean => row.fetch_timestamp > 0

/** Milliseconds: when the record that a chart of this granularity stands on last came from the server. 0: never. */
function fetchedAt(rows: CoinRows, granularity: Granularity): number {
  const from = GRANULARITIES.indexOf(granularity)
  const fetched = rows.filter(isFetched)
  const row = fetched.find((candidate) => GRANULARITIES.indexOf(candidate.granularity) >= from) ?? fetched.at(-1)
  return row?.fetch_timestamp ?? 0
}

/** A coin's stored records for a period, of one market-data source. */
interface StoredCoin {
  readonly rows: CoinRows
  readonly records: Records
  /** True: the record of the period's own level is the period's own, and not what other periods have left of it. */
  readonly isOwn: boolean
  /** Milliseconds at which the server last answered for the daily closes among the records; absent: there are none. */
  readonly closesFetchedAt?: number
}

interface StoredPair {
  readonly a: StoredCoin
  readonly b: StoredCoin
  readonly live: LivePrices | null
}

/**
 * Reads the data of a period's chart in one transaction: the records of its own level, the prices, and the coarser records
 * and daily closes of a coin whose record does not reach back far enough. Reading costs more than computing. A coin whose
 * history the server has never given has no records but its closes: points folded from this device's ticks alone make no chart.
 */
const readPair = (db: LocalDatabase, { coinA, coinB, period, now }: ChartRequest): Promise<StoredPair> =>
  db.transaction('r', [db.history, db.history_fetches, db.prices, db.daily_closes], async () => {
    const { granularity, averageDays } = PERIOD_RULES[period]
    const [prices, own, fetches] = await Promise.all([
      readPrices(db),
      readLevels(db, [coinA, coinB], [granularity]),
      db.history_fetches.bulkGet([coinA, coinB].map((coin): [CoinId, Period] => [coin, period])),
    ])
    const fetchedOf = (coin: CoinId): number => fetches.find((fetch) => fetch?.coin_id === coin)?.fetched_at ?? Infinity
    // Two sources are never mixed in one line.
    const source = prices?.source ?? newestSource(own)
    const live = livePricesOf(prices, coinA, coinB)
    const found = [coinA, coinB].map((coin) => recordsFrom(own, coin, source, now))

    const known = Math.max(live?.providerTime ?? -Infinity, newestOf(...found.map(({ records }) => records)))
    const { averageFrom } = chartWindow(period, now, known)
    const isShort = ({ records }: CoinRecords): boolean => !isEnough(records[granularity], granularity, averageFrom)
    const isOwn = (coin: CoinId, { records }: CoinRecords): boolean => {
      const record = records[granularity]
      if (record === undefined || record === 'unreadable') return false
      const reaches = isEnough(record, granularity, averageFrom) || fetchedOf(coin) <= now
      return reaches && isUnbroken(record, averageFrom, Math.min(now, known), averageDays * DAY)
    }
    const [a, b] = [coinA, coinB].map((coin, index) => ({ ...found[index]!, isOwn: isOwn(coin, found[index]!) }))
    const short = [coinA, coinB].filter((_, index) => isShort(found[index]!))
    if (short.length === 0) return { a: a!, b: b!, live }

    const wider = [...own, ...(await readLevels(db, short, coarserThan(granularity)))]
    // Coarser records may have been folded from a finer one that the server gave.
    const unfetched = short.filter((coin) => !wider.some((row) => row.coin_id === coin && isFetched(row)))
    const all = [...(await readLevels(db, unfetched, finerThan(granularity))), ...wider]
    const anySource = source ?? newestSource(all)
    const stored = await readDailyMatrix(db, prices)
    // Closes of another source than the other coin's history would be mixed with it.
    const closes = anySource === undefined || stored?.matrix.source === anySource ? stored : null
    const whole = (coin: CoinId, { isOwn }: StoredCoin): StoredCoin => {
      const read = { ...recordsFrom(all, coin, anySource, now), isOwn }
      return isOwn || closes === null || !short.includes(coin) ? read : withCloses(read, closes, coin)
    }
    return { a: whole(coinA, a!), b: whole(coinB, b!), live }
  })

/** The coin with its daily closes on the days of which its daily level has no price. */
function withCloses(coin: StoredCoin, { matrix, fetchedAt }: StoredMatrix, id: CoinId): StoredCoin {
  const row = matrix.coins.indexOf(id)
  const daily = coin.records.daily ?? emptySeries()
  if (row === -1 || daily === 'unreadable') return coin
  const closes = closesOf(matrix, row)
  const days = [...closes.keys()].filter((day) => closes[day]! > 0)
  const series: Series = {
    times: Float64Array.from(days, (day) => dayEnd(matrix.firstDay + day)),
    prices: Float64Array.from(days, (day) => closes[day]!),
  }
  return {
    ...coin,
    records: { ...coin.records, daily: mergeBuckets(series, daily, DAY) },
    closesFetchedAt: fetchedAt,
  }
}

const newestSource = (rows: CoinRows): string | undefined =>
  rows.toSorted((one, other) => other.fetch_timestamp - one.fetch_timestamp)[0]?.source

type CoinRecords = Pick<StoredCoin, 'rows' | 'records'>

function recordsFrom(all: CoinRows, coin: string, source: string | undefined, now: number): CoinRecords {
  const rows = all.filter((row) => row.coin_id === coin && row.source === source)
  return { rows, records: rows.some(isFetched) ? recordsOf(rows, now) : {} }
}

/** The data that the chart of both coins stands on. */
function basisOf(coins: readonly StoredCoin[], granularity: Granularity): ChartBasis {
  if (coins.every(({ isOwn }) => isOwn)) return 'period'
  const isOfDays = granularity === 'daily' && coins.every((coin) => coin.isOwn || coin.closesFetchedAt !== undefined)
  return isOfDays ? 'closes' : 'part'
}

const hasCloses = (...coins: readonly StoredCoin[]): boolean =>
  coins.some(({ closesFetchedAt }) => closesFetchedAt !== undefined)

/** The buffers for `transfer`: moving one costs nothing, cloning five columns of a long chart 6 ms. */
export const buffersOf = (columns: readonly ArrayBufferView[]): ArrayBuffer[] =>
  columns.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)

/** The chart of a pair from what the local database holds. */
export async function answerChart(db: LocalDatabase, request: ChartRequest): Promise<ChartAnswer> {
  const { period, now } = request
  const { a, b, live } = await readPair(db, request)
  const result = computeChart({ a: a.records, b: b.records, period, now, live })
  if (result.kind !== 'ready') return result
  const { columns } = result
  const { granularity } = PERIOD_RULES[period]
  const fetched = [a, b].map(({ rows, closesFetchedAt }) => fetchedAt(rows, granularity) || (closesFetchedAt ?? 0))
  const answer: ChartAnswer = {
    kind: 'ready',
    ...columns,
    fetchedAt: Math.min(...fetched),
    basis: basisOf([a, b], granularity),
    hasCloses: hasCloses(a, b),
  }
  return transfer(answer, buffersOf([columns.times, columns.ratio, columns.ema, columns.upper, columns.lower]))
}

/**
 * The prices behind a chart as a file, in UTF-8.
 * @throws with the specification's sentence as message if there are none
 */
export async function answerCsv(db: LocalDatabase, request: CsvRequest): Promise<Blob> {
  const { period, now, symbolA, symbolB } = request
  const { a, b, live } = await readPair(db, request)
  const result = priceRows({ a: a.records, b: b.records, period, now, live })
  if (result.kind === 'empty') throw new Error('No ratio data available to display for this period')
  if (result.kind === 'error') throw new Error(result.message)
  const encoder = new TextEncoder()
  const parts = Array.from(csvChunks(result.rows, symbolA, symbolB), (text) => encoder.encode(text))
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

/** Milliseconds that a summary reads before the day that it shows. */
const MARGIN = HOUR

/** The last day of each pair, for the cards; each coin is read once for all its pairs. */
export async function answerSummaries(
  db: LocalDatabase,
  pairs: readonly PairIds[],
  now: number,
): Promise<PairSummary[]> {
  const coins = [...new Set(pairs.flatMap(({ coinA, coinB }) => [coinA, coinB]))]
  const tables = [db.prices, db.ticks, db.history, db.daily_closes, db.meta]
  const { days, stored, prices, ahead } = await db.transaction('r', tables, async () => {
    const prices = await readPrices(db)
    const read = await Promise.all(coins.map(async (coin) => [coin, await readDay(db, coin, prices, now)] as const))
    return {
      days: new Map(read),
      stored: await readDailyMatrix(db, prices),
      prices,
      ahead: await readClockAhead(db),
    }
  })
  const summaries = pairs.map(({ coinA, coinB }): PairSummary => {
    const [a, b] = [days.get(coinA)!, days.get(coinB)!]
    const { change24h, trend, spark } = summarize(a, b, now)
    const live = livePricesOf(prices, coinA, coinB)
    const place = stored && agedStanding(stored.matrix, coinA, coinB, live, now - ahead)
    const { standing, closesAge } = place ?? { standing: null, closesAge: null }
    return { coinA, coinB, change24h, trend, sparkTimes: spark.times, spark: spark.ratios, standing, closesAge }
  })
  return transfer(summaries, buffersOf(summaries.flatMap(({ sparkTimes, spark }) => [sparkTimes, spark])))
}

async function readDay(db: LocalDatabase, coin: CoinId, prices: PricesRow | undefined, now: number): Promise<CoinDay> {
  const price = prices?.prices[coin]
  // After days offline the day before the last known price is shown, not an empty one.
  const at = Math.min(now, price?.provider_time ?? now)
  const ticks = await readTickSeries(db, coin, at - DAY - MARGIN, Infinity)
  const row = await readHistory(db, coin, 'fiveMinutely')
  const usable = row !== undefined && isSound(row) && (prices === undefined || row.source === prices.source)
  return { price, ticks, history: usable ? row : emptySeries() }
}

/**
 * A pair's last days, hour by hour where both histories are stored that far back, else day by day.
 * @param now milliseconds
 */
export async function answerRatioHistory(
  db: LocalDatabase,
  { coinA, coinB }: PairIds,
  days: number,
  now: number,
): Promise<RatioHistory | null> {
  const period = days <= 90 ? '3m' : '1y'
  const { a, b, live } = await readPair(db, { coinA, coinB, period, now })
  const chart = computeChart({ a: a.records, b: b.records, period, now, live })
  const until = Math.min(now, live?.providerTime ?? now)
  const from = until - days * DAY
  const stored = await db.transaction('r', [db.prices, db.daily_closes], async () =>
    readDailyMatrix(db, await readPrices(db)),
  )
  const closes = stored && dailyRatios(stored, { coinA, coinB }, from)
  const ratio = ratioOf(live?.priceA, live?.priceB)
  const daily = closes && (ratio === null ? closes : closeWith(closes, until, ratio))
  const fine =
    chart.kind === 'ready' && !hasCloses(a, b)
      ? sliceRatios({ times: chart.columns.times, ratios: chart.columns.ratio }, from)
      : null
  // A record fetched for one week would show a week where 90 days were asked for.
  const isFineEnough = fine !== null && (daily === null || fine.times[0]! <= (daily.times[0] ?? Infinity) + DAY)
  const chosen = isFineEnough ? fine : daily
  if (chosen === null || chosen.times.length === 0) return null
  const { times, ratios } = copyOf(chosen)
  const spacing = isFineEnough ? BUCKET_MS[PERIOD_RULES[period].granularity] : DAY
  return transfer({ times, ratios, spacing }, buffersOf([times, ratios]))
}

/** Ratios at the ends of the days from `from` on; days on which a close is missing are left out. */
export function dailyRatios({ matrix }: StoredMatrix, { coinA, coinB }: PairIds, from: number): RatioSeries | null {
  const closes = pairCloses(matrix, coinA, coinB)
  if (closes === null) return null
  const ratios = Array.from(closes.a, (price, day) => price / closes.b[day]!)
  const known = [...ratios.keys()].filter(
    (day) => Number.isFinite(ratios[day]) && dayEnd(matrix.firstDay + day) >= from,
  )
  return {
    times: Float64Array.from(known, (day) => dayEnd(matrix.firstDay + day)),
    ratios: Float64Array.from(known, (day) => ratios[day]!),
  }
}
