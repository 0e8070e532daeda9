import { WIDEST_GAP } from './granularity'
import { endingWith, lowerBound, type Series } from './series'

/** Ratios A / B as columns of equal length: times ascending (ms since 1970), ratios finite. */
export interface RatioSeries {
  readonly times: Float64Array
  readonly ratios: Float64Array
}

/**
 * The ratio at each of A's times, B interpolated linearly between its neighbours; one pass with two pointers.
 * Outside B's span its nearest point counts where it is at most one bucket away. Times without a B, with a B of zero
 * or without a finite ratio are dropped.
 * @param widths bucket width of each of B's points, or of all of them, milliseconds
 */
export function joinRatios(a: Series, b: Series, widths: Float64Array | number): RatioSeries {
  const { times: timesA, prices: pricesA } = a
  const { times: timesB, prices: pricesB } = b
  const length = timesA.length
  const times = new Float64Array(length)
  const ratios = new Float64Array(length)
  const last = timesB.length - 1
  let kept = 0
  let next = 0 // the first of B's points at or after A's time
  for (let i = 0; i < length; i++) {
    const time = timesA[i]!
    while (next <= last && timesB[next]! < time) next++
    const isExact = next <= last && timesB[next] === time
    const priceB = isExact ? positive(pricesB[next]!) : priceBeside(b, widths, time, next, last)
    const ratio = pricesA[i]! / priceB
    if (ratio >= 0 && ratio < Infinity) {
      times[kept] = time
      ratios[kept++] = ratio
    }
  }
  return { times: times.subarray(0, kept), ratios: ratios.subarray(0, kept) }
}

/** B's price at each of the times, by the rules of the join; NaN: none. */
export function pricesAt(times: Float64Array, b: Series, widths: Float64Array | number): Float64Array {
  const last = b.times.length - 1
  let next = 0
  return times.map((time) => {
    while (next <= last && b.times[next]! < time) next++
    return priceAt(b, widths, time, next, last)
  })
}

const priceAt = (b: Series, widths: Float64Array | number, time: number, next: number, last: number): number =>
  next <= last && b.times[next] === time ? positive(b.prices[next]!) : priceBeside(b, widths, time, next, last)

function priceBeside(b: Series, widths: Float64Array | number, time: number, next: number, last: number): number {
  const width = (index: number): number => (typeof widths === 'number' ? widths : widths[index]!)
  if (last < 0) return NaN
  if (next === 0) return b.times[0]! - time <= width(0) ? positive(b.prices[0]!) : NaN
  if (next > last) return time - b.times[last]! <= width(last) ? positive(b.prices[last]!) : NaN

  const before = b.times[next - 1]!
  const gap = b.times[next]! - before
  // At the border of two levels the coarser one says how far apart neighbours may be.
  if (gap > WIDEST_GAP * Math.max(width(next - 1), width(next))) return NaN
  const from = positive(b.prices[next - 1]!)
  return from + (positive(b.prices[next]!) - from) * ((time - before) / gap)
}

const positive = (price: number): number => (price > 0 ? price : NaN)

/** The points with from <= time < to, as views. */
export function sliceRatios(series: RatioSeries, from: number, to = Infinity): RatioSeries {
  const start = lowerBound(series.times, from)
  const end = Math.max(start, lowerBound(series.times, to))
  return { times: series.times.subarray(start, end), ratios: series.ratios.subarray(start, end) }
}

/** With columns of its own: a view would carry its whole buffer along when it is sent. */
export const copyOf = ({ times, ratios }: RatioSeries): RatioSeries => ({
  times: times.slice(),
  ratios: ratios.slice(),
})

/** The point nearest to `time` on either side; of two equally near the earlier. Null: the series is empty. */
export function valueNearest(series: RatioSeries, time: number): { time: number; ratio: number } | null {
  const { times, ratios } = series
  const after = lowerBound(times, time)
  const isEarlier = after === times.length || (after > 0 && time - times[after - 1]! <= times[after]! - time)
  const at = isEarlier ? after - 1 : after
  return at < 0 ? null : { time: times[at]!, ratio: ratios[at]! }
}

/** The series with `ratio` as its last point; points at or after `time` give way to it. */
export function closeWith(series: RatioSeries, time: number, ratio: number): RatioSeries {
  const end = lowerBound(series.times, time)
  return { times: endingWith(series.times, end, time), ratios: endingWith(series.ratios, end, ratio) }
}
