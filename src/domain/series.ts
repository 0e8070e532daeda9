/** Ratios, prices and thresholds lie within these bounds, so that their products and quotients stay inside a double. */
export const LEAST_POSITIVE = 1e-30
export const LARGEST_POSITIVE = 1e30

/** Prices of one coin as columns of equal length: times ascending and unique (ms since 1970), prices in USD. */
export interface Series {
  readonly times: Float64Array
  readonly prices: Float64Array
}

export const emptySeries = (): Series => ({ times: new Float64Array(0), prices: new Float64Array(0) })

/** A price is accepted when it is a finite number of at least 0; zero is known, though no ratio can be built on it. */
export const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Sorts, drops points without a finite time or an accepted price; of points at one time the last given stays. */
export function seriesFromPoints(points: readonly (readonly [number, number | null])[]): Series {
  const kept = points.filter((point) => Number.isFinite(point[0]) && isPrice(point[1]))
  // A stable sort: points of equal time keep the order in which they were given.
  kept.sort((one, other) => one[0] - other[0])
  const times = new Float64Array(kept.length)
  const prices = new Float64Array(kept.length)
  let length = 0
  for (const [time, price] of kept) {
    if (length > 0 && times[length - 1] === time) length--
    times[length] = time
    prices[length] = price!
    length++
  }
  return { times: times.slice(0, length), prices: prices.slice(0, length) }
}

/** The series itself if its times rise and its prices are accepted, else what can be kept of it. */
export function inOrder(series: Series): Series {
  const { times, prices } = series
  let before = -Infinity
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!
    const price = prices[i]!
    if (!(time > before && time < Infinity && price >= 0 && price < Infinity)) {
      return seriesFromPoints(Array.from(times, (at, index) => [at, prices[index]!] as const))
    }
    before = time
  }
  return series
}

/** Index of the first time at or after `time`; `times.length` where there is none. */
export function lowerBound(times: Float64Array, time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}

/** The points with from <= time < to, as views. */
export function viewOf(series: Series, from: number, to = Infinity): Series {
  const start = lowerBound(series.times, from)
  const end = Math.max(start, lowerBound(series.times, to))
  return { times: series.times.subarray(start, end), prices: series.prices.subarray(start, end) }
}

/**
 * The points with from <= time < to. The columns are copies, since a view would carry its whole buffer along when it
 * is stored or sent.
 */
export function sliceSeries(series: Series, from: number, to = Infinity): Series {
  const { times, prices } = viewOf(series, from, to)
  return { times: times.slice(), prices: prices.slice() }
}

/** The column's first `length` values and one more. */
export function endingWith(column: Float64Array, length: number, last: number): Float64Array {
  const copy = new Float64Array(length + 1)
  copy.set(column.subarray(0, length))
  copy[length] = last
  return copy
}

/** All points of both; where both have a point at one time, that of `newer` stays. */
export function mergeSeries(older: Series, newer: Series): Series {
  const times = new Float64Array(older.times.length + newer.times.length)
  const prices = new Float64Array(times.length)
  let length = 0
  let o = 0
  let n = 0
  while (o < older.times.length || n < newer.times.length) {
    const olderTime = o < older.times.length ? older.times[o]! : Infinity
    const newerTime = n < newer.times.length ? newer.times[n]! : Infinity
    if (newerTime <= olderTime) {
      times[length] = newerTime
      prices[length++] = newer.prices[n++]!
      if (newerTime === olderTime) o++
    } else {
      times[length] = olderTime
      prices[length++] = older.prices[o++]!
    }
  }
  return { times: times.slice(0, length), prices: prices.slice(0, length) }
}
