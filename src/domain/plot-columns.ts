import { WIDEST_GAP } from './granularity'

/** A column as uPlot wants it: a gap is null, and a single NaN would make it draw nothing at all. */
export type PlotColumn = Float64Array | (number | null)[]

function isWhole(column: Float64Array): boolean {
  // A loop: `every` calls a function for each of up to 2,160 points of five columns.
  for (let i = 0; i < column.length; i += 1) if (!Number.isFinite(column[i])) return false
  return true
}

/** The column itself where it is whole; a copy with nulls where it has gaps. */
export function plotColumn(column: Float64Array): PlotColumn {
  return isWhole(column) ? column : Array.from(column, (value) => (Number.isFinite(value) ? value : null))
}

/** The last index at which a column has a value; -1: it has none. */
export function lastIndex(column: ArrayLike<number | null | undefined>): number {
  for (let i = column.length - 1; i >= 0; i -= 1) {
    const value = column[i]
    if (value != null && Number.isFinite(value)) return i
  }
  return -1
}

/** How many steps on either side tell the usual step there. */
const LOOK = 3

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/**
 * Holes in a column of times, as pairs of the times on either side. The usual step is judged on the spot, since
 * the old end of a chart may be filled at a coarser level.
 * @param times milliseconds, ascending
 * @param bucket width of the period's own buckets, milliseconds
 */
export function holes(times: ArrayLike<number>, bucket: number): readonly (readonly [number, number])[] {
  const step = (i: number): number => (times[i + 1] ?? 0) - (times[i] ?? 0)
  const steps = (from: number, to: number): number[] => {
    const found: number[] = []
    for (let i = Math.max(0, from); i < Math.min(to, times.length - 1); i += 1) found.push(step(i))
    return found
  }
  const found: (readonly [number, number])[] = []
  for (let i = 0; i < times.length - 1; i += 1) {
    const wide = step(i)
    if (wide <= WIDEST_GAP * bucket) continue
    const usual = Math.max(bucket, median(steps(i - LOOK, i)), median(steps(i + 1, i + 1 + LOOK)))
    if (wide > WIDEST_GAP * usual) found.push([times[i] ?? 0, times[i + 1] ?? 0])
  }
  return found
}

/** Joins intervals that overlap; in the order of their beginnings. */
export function mergeIntervals(intervals: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Points without a neighbour to draw a line to; they need a dot, or nothing is seen of them. */
export function lonelyPoints(
  times: ArrayLike<number>,
  column: ArrayLike<number | null>,
  found: readonly (readonly [number, number])[],
): number[] {
  const ends = new Set(found.map(([from]) => from))
  const starts = new Set(found.map(([, to]) => to))
  const lonely: number[] = []
  // The usual case, without a look at each point: a whole column.
  if (found.length === 0 && column instanceof Float64Array && column.length > 1) return lonely
  for (let i = 0; i < times.length; i += 1) {
    const time = times[i] ?? 0
    if (column[i] == null) continue
    const left = i > 0 && column[i - 1] != null && !starts.has(time)
    const right = i < times.length - 1 && column[i + 1] != null && !ends.has(time)
    if (!left && !right) lonely.push(i)
  }
  return lonely
}
