import { DAY } from './granularity'

/** How many deviations the bands lie from the average. */
export const BANDS_REACH = 2

/** Columns as long as the chart's ratios; the bands are NaN while a deviation is missing. */
export interface Bands {
  readonly ema: Float64Array
  readonly upper: Float64Array
  readonly lower: Float64Array
}

/**
 * Moving average and the bands two sample deviations (n - 1) above and below it, in O(n) whatever the window.
 *
 * Average: with a = 2 / (N + 1), EMA(i) = a r(i) + (1 - a) EMA(i - 1), and before the first point its seed.
 *
 * Deviation: of the last N ratios up to and including the point. Sliding sums subtract what leaves the window and keep
 * its rounding errors for ever: one bad tick spoils all that follows. Here nothing is taken out of a sum. The ratios are
 * cut into blocks of N; every window is then the end of one block and the start of the next, whose sums only grew:
 *
 *     block k             block k + 1
 *     . . . . t t t t t | h h h . . . . . .      t: tail, summed backwards from the block's end
 *             ^- window: t merged with h -^      h: head, summed from the block's start
 *
 * Each half sums x - pivot and (x - pivot)², its pivot being its own value at the border. As the pivot is one of the
 * half's n values, sum((x - pivot)²) is at most n times the half's squared deviations M2, so that the subtraction in
 * M2 = sum((x - pivot)²) - sum(x - pivot)² / n costs at most a factor n of precision, whatever the data. The halves are
 * merged by Chan's rule, M2 = M2t + M2h + d² nt nh / (nt + nh) with d the distance of their means: a sum of what is not
 * negative, exactly 0 for equal values.
 * Chan, Golub, LeVeque: Algorithms for computing the sample variance (The American Statistician 37, 1983).
 *
 * @param initial ratios of the window just before the chart, which seed the average and fill the first windows
 * @param points N, at least 2
 * @param reach how many deviations the bands lie from the average
 */
export function bandsAround(initial: Float64Array, chart: Float64Array, points: number, reach = BANDS_REACH): Bands {
  const values = joined(initial, chart)
  const size = Math.min(points, values.length)
  const lines: Lines = {
    ema: new Float64Array(chart.length),
    upper: new Float64Array(chart.length),
    lower: new Float64Array(chart.length),
    from: initial.length,
    weight: averageWeight(points),
    reach,
  }
  const table = tableFor(size)
  let average = seedOf(initial, chart, points)
  for (let start = 0; start < values.length; start += size) {
    const end = Math.min(start + size, values.length)
    if (end <= initial.length) continue
    if (start === 0) average = firstBlock(values, size, table, lines, average)
    else {
      sumTails(values, start, size, table)
      average = laterBlock(values, start, end, table, lines, average)
    }
  }
  return { ema: lines.ema, upper: lines.upper, lower: lines.lower }
}

interface Lines extends Bands {
  /** Index of the first value that belongs to the chart. */
  readonly from: number
  readonly weight: number
  readonly reach: number
}

/*
 * The table has a row for each length n of a head, from 0 to the window. Its columns lie side by side in one array: a
 * row is half a cache line, and one array's bounds are checked faster than those of four.
 */
const COLUMNS = 4
/** 1 / n. */
const INVERSE = 0
/** n t / (n + t), t being the length of the tail that completes the head. */
const WEIGHT = 1
/** That tail's mean, as distance from the head's pivot. */
const TAIL_MEAN = 2
const TAIL_M2 = 3

function tableFor(size: number): Float64Array {
  const table = new Float64Array((size + 1) * COLUMNS)
  for (let n = 1; n <= size; n++) {
    table[n * COLUMNS + INVERSE] = 1 / n
    table[n * COLUMNS + WEIGHT] = (n * (size - n)) / size
  }
  return table
}

/** Writes the tails of the block that ends at `border` into the rows of the heads that they complete. */
function sumTails(values: Float64Array, border: number, size: number, table: Float64Array): void {
  const pivot = values[border - 1]!
  const apart = pivot - values[border]!
  let sum = 0
  let squares = 0
  for (let n = 1, row = (size - 1) * COLUMNS; n < size; n++, row -= COLUMNS) {
    const distance = values[border - n]! - pivot
    sum += distance
    squares += distance * distance
    const mean = sum * table[n * COLUMNS + INVERSE]!
    table[row + TAIL_MEAN] = apart + mean
    table[row + TAIL_M2] = squares - sum * mean
  }
}

/** Windows that are not full yet: heads alone. Returns the moving average at its end. */
function firstBlock(values: Float64Array, size: number, table: Float64Array, lines: Lines, before: number): number {
  const { ema, upper, lower, from, weight, reach } = lines
  const pivot = values[0]!
  let average = before
  let sum = 0
  let squares = 0
  for (let n = 1; n <= size; n++) {
    const value = values[n - 1]!
    const distance = value - pivot
    sum += distance
    squares += distance * distance
    const at = n - 1 - from
    if (at < 0) continue
    const m2 = squares - sum * sum * table[n * COLUMNS + INVERSE]!
    const away = n < 2 ? NaN : reach * Math.sqrt(m2 > 0 ? m2 / (n - 1) : 0)
    average += weight * (value - average)
    ema[at] = average
    upper[at] = average + away
    lower[at] = average - away
  }
  return average
}

/**
 * Full windows: each head of the block from `start` merged with its tail; the last head is the whole window, its tail's
 * weight is 0. Returns the moving average at its end.
 */
function laterBlock(
  values: Float64Array,
  start: number,
  end: number,
  table: Float64Array,
  lines: Lines,
  before: number,
): number {
  const { ema, upper, lower, from, weight, reach } = lines
  const pivot = values[start]!
  const perDegree = 1 / (table.length / COLUMNS - 2)
  let average = before
  let sum = 0
  let squares = 0
  for (let i = start, row = COLUMNS; i < end; i++, row += COLUMNS) {
    const value = values[i]!
    const distance = value - pivot
    sum += distance
    squares += distance * distance
    if (i < from) continue
    const mean = sum * table[row + INVERSE]!
    const apart = mean - table[row + TAIL_MEAN]!
    const m2 = squares - sum * mean + table[row + TAIL_M2]! + apart * apart * table[row + WEIGHT]!
    const away = reach * Math.sqrt(m2 > 0 ? m2 * perDegree : 0)
    // The average's formula as a step towards the value: a flat series stays exactly where it is.
    average += weight * (value - average)
    ema[i - from] = average
    upper[i - from] = average + away
    lower[i - from] = average - away
  }
  return average
}

function joined(first: Float64Array, second: Float64Array): Float64Array {
  if (first.length === 0) return second
  const all = new Float64Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

const MIN_POINTS = 5

/**
 * N of the moving average: the points that its window of days holds at the density of the chart.
 * @param times those of the chart's points, ascending, milliseconds
 * @param windowDays `averageDays` of the period (chart-periods.ts)
 */
export function averagePoints(times: Float64Array, windowDays: number): number {
  const spanDays = times.length < 2 ? 0 : (times[times.length - 1]! - times[0]!) / DAY
  if (!(spanDays > 0)) return MIN_POINTS
  return Math.max(MIN_POINTS, Math.round(windowDays * ((times.length - 1) / spanDays)))
}

/** Share of the newest ratio in the moving average of N points. */
const averageWeight = (points: number): number => 2 / (points + 1)

/**
 * The start of the moving average: the mean of the initial-average ratios, and where there are none (a young
 * coin, a provider's limit), that of the first chart ratios.
 * @param points N
 */
const seedOf = (initial: Float64Array, chart: Float64Array, points: number): number =>
  mean(initial.length > 0 ? initial : chart.subarray(0, points))

/** Around the first value, so that the mean of equal values is exactly that value. NaN of nothing. */
function mean(values: Float64Array): number {
  const pivot = values[0] ?? NaN
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! - pivot
  return pivot + sum / values.length
}
