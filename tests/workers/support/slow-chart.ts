import type { Extreme } from '../../../src/domain/swings'
import { naiveExtremes, naiveLeast, naiveLevel, naiveMerge } from '../../domain/support/naive-oscillation'

/*
 * The chart by its definition, point by point, without any of the app's own code.
 */

type Point = readonly [time: number, value: number]
type Level = 'fiveMinutely' | 'thirtyMinutely' | 'hourly' | 'daily'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const LEVELS: readonly Level[] = ['fiveMinutely', 'thirtyMinutely', 'hourly', 'daily']
const BUCKET = { fiveMinutely: 5 * MINUTE, thirtyMinutely: 30 * MINUTE, hourly: HOUR, daily: DAY }

/** Duration, level, moving-average window in days, initial-average window, look window in points, least swing in %. */
const PERIODS = {
  '1d': [DAY, 'fiveMinutely', 0.125, 3 * HOUR, 3, 1.5],
  '7d': [7 * DAY, 'thirtyMinutely', 1, DAY, 12, 2],
  '1m': [30 * DAY, 'hourly', 3, 3 * DAY, 36, 2.5],
  '3m': [90 * DAY, 'hourly', 7, 7 * DAY, 72, 3],
  '1y': [365 * DAY, 'daily', 30, 30 * DAY, 360, 4],
} as const

interface SlowInput {
  readonly a: Readonly<Partial<Record<Level, readonly Point[]>>>
  readonly b: Readonly<Partial<Record<Level, readonly Point[]>>>
  readonly period: keyof typeof PERIODS
  readonly now: number
  readonly live: { readonly time: number; readonly priceA: number; readonly priceB: number }
}

export interface SlowChart {
  readonly times: readonly number[]
  readonly ratio: readonly number[]
  readonly ema: readonly number[]
  readonly upper: readonly number[]
  readonly lower: readonly number[]
  readonly averagePoints: number
  readonly estimatedPeriod: number | null
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length

export function slowChart({ a, b, period, now, live }: SlowInput): SlowChart {
  const [duration, level, averageDays, initialAverage, lookWindow, leastSwing] = PERIODS[period]
  const known = [...(a[level] ?? []), ...(b[level] ?? [])].map(([time]) => time)
  const from = Math.min(now, Math.max(live.time, ...known)) - duration
  const averageFrom = from - initialAverage
  const pointsA = mixed(a, level, averageFrom)
  const pointsB = mixed(b, level, averageFrom)

  const ratios: Point[] = []
  for (const { time, price } of pointsA) {
    if (time < averageFrom) continue
    const priceB = priceAt(pointsB, time)
    if (priceB > 0) ratios.push([time, price / priceB])
  }
  const initial = ratios.filter(([time]) => time < from).map(([, ratio]) => ratio)
  const initialTimes = ratios.filter(([time]) => time < from).map(([time]) => time)
  let chart = ratios.filter(([time]) => time >= from)
  if (chart.at(-1)![0] - live.time <= BUCKET[level]) {
    chart = [...chart.filter(([time]) => time < live.time), [live.time, live.priceA / live.priceB]]
  }

  const times = chart.map(([time]) => time)
  const ratio = chart.map(([, value]) => value)
  const days = (times.at(-1)! - times[0]!) / DAY
  const N = days > 0 ? Math.max(5, Math.round(averageDays * ((times.length - 1) / days))) : 5
  let average = mean(initial.length > 0 ? initial : ratio.slice(0, N))
  const ema = ratio.map((value) => (average = (2 / (N + 1)) * value + (1 - 2 / (N + 1)) * average))
  const deviations = ratio.map((_, i) => {
    const before = [...initial, ...ratio.slice(0, i + 1)].slice(-N)
    const since = [...initialTimes, ...times.slice(0, i + 1)].slice(-N)[0]!
    if (times[i]! - since > 3 * averageDays * DAY) return NaN
    return Math.sqrt(sum(before.map((value) => (value - mean(before)) ** 2)) / (before.length - 1))
  })
  return {
    times,
    ratio,
    ema,
    upper: ema.map((value, i) => value + 2 * deviations[i]!),
    lower: ema.map((value, i) => value - 2 * deviations[i]!),
    averagePoints: N,
    estimatedPeriod: slowPeriod(times, ratio, lookWindow, leastSwing),
  }
}

function slowPeriod(times: readonly number[], ratio: readonly number[], lookWindow: number, leastSwing: number) {
  const look = Math.max(3, Math.min(lookWindow, Math.floor(ratio.length / 20)))
  const level = naiveLevel(ratio, times)
  const least = naiveLeast(level, leastSwing)
  const turns: Extreme[] = []
  for (const extreme of naiveExtremes(level, look)) {
    const last = turns.at(-1)
    const sign = extreme.kind === 'peak' ? 1 : -1
    if (last?.kind !== extreme.kind) turns.push(extreme)
    else if (sign * extreme.value > sign * last.value) turns[turns.length - 1] = extreme
  }
  const kept = naiveMerge(turns, least).map(({ index }) => times[index]!)
  const gaps = kept.slice(2).map((time, i) => time - kept[i]!)
  gaps.sort((one, other) => one - other)
  return gaps.length === 0 ? null : (gaps[(gaps.length - 1) >> 1]! + gaps[gaps.length >> 1]!) / 2
}

interface MixedPoint {
  readonly time: number
  readonly price: number
  /** Bucket width of the level it comes from. */
  readonly width: number
}

/** The level's points, and at the old end those of coarser levels that reach back further. */
function mixed(levels: SlowInput['a'], level: Level, averageFrom: number): MixedPoint[] {
  let points: MixedPoint[] = []
  for (const next of LEVELS.slice(LEVELS.indexOf(level))) {
    const width = BUCKET[next]
    const begin = points[0]?.time ?? Infinity
    const older = (levels[next] ?? [])
      .filter(([time]) => time >= averageFrom - width && time < begin)
      .map(([time, price]) => ({ time, price, width }))
    points = [...older, ...points]
    if (points.length > 0 && points[0]!.time - width <= averageFrom) break
  }
  return points
}

/** Interpolated between the neighbours; NaN where they are too far away or have no price. */
function priceAt(points: readonly MixedPoint[], time: number): number {
  const usable = (price: number) => (price > 0 ? price : NaN)
  const before = points.findLast((point) => point.time <= time)
  const after = points.find((point) => point.time >= time)
  if (before === undefined && after === undefined) return NaN
  if (before === undefined) return after!.time - time <= after!.width ? usable(after!.price) : NaN
  if (after === undefined) return time - before.time <= before.width ? usable(before.price) : NaN
  if (before === after) return usable(before.price)
  const gap = after.time - before.time
  if (gap > 3 * Math.max(before.width, after.width)) return NaN
  const share = (time - before.time) / gap
  return usable(before.price) * (1 - share) + usable(after.price) * share
}
