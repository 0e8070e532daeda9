import { type LocalDatabase, readPrices } from '../src/db/database'
import { isSound, readHistory } from '../src/db/history-rows'
import { readDailyMatrix } from '../src/db/queries/daily-closes'
import { BANDS_REACH } from '../src/domain/bands'
import { PERIOD_RULES } from '../src/domain/chart-periods'
import { closesOf, dayEnd } from '../src/domain/daily-matrix'
import { medianOf } from '../src/domain/excursions'
import { BUCKET_MS, coarserThan, DAY, type Granularity } from '../src/domain/granularity'
import { isPegged } from '../src/domain/peg'
import { joinRatios, type RatioSeries, sliceRatios } from '../src/domain/ratio-series'
import { inOrder } from '../src/domain/series'
import { logMoments, reachOf, walkForward, walkPlan } from '../src/domain/walk-forward'
import { dailyRatios } from './answers'
import type { OnSlice, PairIds, PairsWalk, WalkAnswer, WalkRequest, WalkRule } from './api'

/** Ratios from before a chart, and milliseconds between two of them. */
interface Past {
  readonly width: number
  readonly series: RatioSeries
}

/** Walks a chart's points forward; a short period without enough past gives way to the year of days that is stored. */
export async function answerWalk(db: LocalDatabase, request: WalkRequest): Promise<WalkAnswer | null> {
  const { duration, granularity } = PERIOD_RULES[request.period]
  const pasts = await readPasts(db, request, isLong(duration) ? 'daily' : granularity)
  const walk = walkOver(request, pasts)
  const days = pasts.filter(({ width }) => width === DAY)
  if (walk !== null || isLong(duration) || days.length === 0) return walk
  const { series } = days.at(-1)!
  const from = series.times.at(-1)! - PERIOD_RULES['1y'].duration
  return walkOver({ ...request, ...sliceRatios(series, from), period: '1y', from }, days)
}

const isLong = (duration: number): boolean => duration >= 90 * DAY

/**
 * Lines are drawn from the finest of the pasts that reaches back far enough; the request's own points are thinned to its
 * level, so that each day counts alike.
 */
function walkOver(request: WalkRequest, pasts: readonly Past[]): WalkAnswer | null {
  const { period, from, times, ratios, thresholds, cost } = request
  const { duration } = PERIOD_RULES[period]
  const k = thresholds === null ? { high: BANDS_REACH, low: BANDS_REACH } : reachOf(ratios, thresholds)
  if (k === null) return null
  const { window, step } = walkPlan(duration)
  const walks = pasts.flatMap(({ width, series }) => {
    const past = joined(sliceRatios(series, -Infinity, from), thinned({ times, ratios }, width))
    const walk = walkForward({ times, ratios }, { from, window, step, k, cost, past })
    // A short period is walked as a whole or not at all, of a long one at least half.
    return walk === null || walk.from > from + (isLong(duration) ? duration / 2 : 0) ? [] : [walk]
  })
  const [walk] = walks.toSorted((one, other) => one.from - other.from)
  return walk === undefined ? null : { ...walk, until: times.at(-1)!, period, swaps: walk.swaps.length, k }
}

/** The pair's stored ratios by level, finest first, and its daily closes; those of another source are left out. */
const readPasts = (db: LocalDatabase, pair: PairIds, finest: Granularity): Promise<Past[]> =>
  db.transaction('r', [db.history, db.prices, db.daily_closes], async () => {
    const prices = await readPrices(db)
    const pasts: Past[] = []
    for (const level of [finest, ...coarserThan(finest)]) {
      const rows = await Promise.all([pair.coinA, pair.coinB].map((coin) => readHistory(db, coin, level)))
      const [a, b] = rows.map((row) =>
        row !== undefined && isSound(row) && row.source === (prices?.source ?? row.source) ? row : null,
      )
      if (!a || !b || a.source !== b.source) continue
      const width = BUCKET_MS[level]
      pasts.push({ width, series: joinRatios(inOrder(a), inOrder(b), width) })
    }
    const stored = await readDailyMatrix(db, prices)
    const closes = stored && dailyRatios(stored, pair, -Infinity)
    if (closes !== null) pasts.push({ width: DAY, series: closes })
    return pasts
  })

/** The last point of each bucket. */
function thinned({ times, ratios }: RatioSeries, width: number): RatioSeries {
  const bucketOf = (index: number) => Math.floor(times[index]! / width)
  const kept = [...times.keys()].filter(
    (index) => index === times.length - 1 || bucketOf(index) !== bucketOf(index + 1),
  )
  return {
    times: Float64Array.from(kept, (index) => times[index]!),
    ratios: Float64Array.from(kept, (index) => ratios[index]!),
  }
}

const joined = (before: RatioSeries, after: RatioSeries): RatioSeries => ({
  times: Float64Array.of(...before.times, ...after.times),
  ratios: Float64Array.of(...before.ratios, ...after.ratios),
})

/** Pairs that are walked before the page is asked whether to go on. */
const SLICE = 100

/**
 * Walks every pair of the stored matrix forward, each both ways round, since a result in one coin is half of what holding the
 * other made. Pegged pairs and those without closes from the matrix's first days on are left out.
 */
export async function answerPairsWalk(db: LocalDatabase, rule: WalkRule, onSlice: OnSlice): Promise<PairsWalk> {
  const stored = await db.transaction('r', [db.prices, db.daily_closes], async () =>
    readDailyMatrix(db, await readPrices(db)),
  )
  const gains: number[] = []
  if (stored === null) return pairsWalk(gains, 0)
  const { matrix } = stored
  const { window, step } = walkPlan(matrix.days * DAY)
  const from = dayEnd(matrix.firstDay) + window
  const coins = matrix.coins.map((_, row) => closesOf(matrix, row))
  const total = (coins.length * (coins.length - 1)) / 2
  let done = 0
  for (const [row, a] of coins.entries()) {
    for (const b of coins.slice(0, row)) {
      if (done++ % SLICE === 0 && !(await onSlice(done - 1, total))) return pairsWalk(gains, 0)
      for (const series of bothWays(matrix.firstDay, a, b)) {
        const walk = walkForward(series, { ...rule, from, window, step })
        if (walk?.from === from) gains.push(walk.gain)
      }
    }
  }
  return pairsWalk(gains, matrix.days - window / DAY)
}

const pairsWalk = (gains: readonly number[], days: number): PairsWalk => ({
  pairs: gains.length / 2,
  days,
  median: medianOf(gains),
  above: gains.filter((gain) => gain > 0).length / gains.length,
})

/** The pair's ratios either way round; none: it is pegged. */
function bothWays(firstDay: number, a: Float32Array, b: Float32Array): readonly RatioSeries[] {
  const known = [...a.keys()].filter((day) => a[day]! > 0 && b[day]! > 0)
  const times = Float64Array.from(known, (day) => dayEnd(firstDay + day))
  const ratios = Float64Array.from(known, (day) => a[day]! / b[day]!)
  const moments = logMoments(ratios)
  if (moments === null || isPegged(moments.deviation)) return []
  return [
    { times, ratios },
    { times, ratios: ratios.map((ratio) => 1 / ratio) },
  ]
}
