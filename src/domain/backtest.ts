import { medianOf } from './excursions'
import { WIDEST_GAP } from './granularity'
import { outwards, type RangeEnd } from './extreme'

/**
 * The ratios at which a backtest swaps; NaN: no swap there. Bands: columns of each point's band, which is in force at the next
 * point, since its own ratio is part of it. Steps: columns of the lines in force at each point, set anew where they change.
 */
export type SwapLevels =
  | { readonly kind: 'thresholds'; readonly high: number; readonly low: number }
  | { readonly kind: 'bands' | 'steps'; readonly high: Float64Array; readonly low: Float64Array }

export interface BacktestInput {
  /** Milliseconds, ascending. */
  readonly times: Float64Array
  /** A / B, above zero. */
  readonly ratios: Float64Array
  readonly levels: SwapLevels
  /** Share of the amount that fee and spread of each swap cost, 0 to 1. */
  readonly cost: number
}

export interface Swap {
  /** Index of its point. */
  readonly at: number
  /** The coin that it ends with. */
  readonly to: 'a' | 'b'
  /** The ratio that it is made at. */
  readonly ratio: number
  /** The worse of that and the next point's ratio: news of a crossing is read and acted on later. */
  readonly worst: number
}

/** An amount, counted in either coin at the ratio of the last point. */
export interface Holding {
  readonly a: number
  readonly b: number
}

export interface Backtest {
  readonly swaps: readonly Swap[]
  /** The end of rotating, and of holding either coin, from one unit of A or its worth in B at the first point. */
  readonly rotating: Holding
  /** The end of rotating where each swap is made at its `worst`. */
  readonly late: Holding
  readonly holdingA: Holding
  readonly holdingB: Holding
  /** Milliseconds from one swap to the next, the middle one; null: fewer than two swaps. */
  readonly medianWait: number | null
  /** Milliseconds of the longest time without a swap, those before the first and since the last among them. */
  readonly longestWait: number
  /** True: the longest is the one since the last swap, which goes on. */
  readonly isLongestUnderWay: boolean
  /** Deepest fall of the amount in A below its highest before, as a fraction of that. */
  readonly drawdown: number
}

/**
 * Rotates between two coins: begins with one unit of A, swaps it for B where the ratio reaches the high line, back where it
 * reaches the low one, and so on, at most once a point, each swap less its cost.
 * @returns null: there is no point, a ratio at an end is zero, or the high threshold is not above the low one
 */
export function backtest(input: BacktestInput): Backtest | null {
  const { times, ratios, levels, cost } = input
  const [first, last] = [ratios[0] ?? 0, ratios.at(-1) ?? 0]
  // A coin that is worth nothing cannot be counted in.
  if (!(first > 0) || !(last > 0)) return null
  if (levels.kind === 'thresholds' && !(levels.high > levels.low)) return null
  const swaps = swapsOf(input)
  const ofA = (a: number): Holding => ({ a, b: a * last })
  const endOf = (ratioOf: (swap: Swap) => number): Holding => {
    const units = swaps.reduce((before, swap) => swapped(before, swap.to, ratioOf(swap), cost), 1)
    return swaps.at(-1)?.to === 'b' ? { a: units / last, b: units } : ofA(units)
  }
  const ends = [times[0]!, ...swaps.map(({ at }) => times[at]!), times.at(-1)!]
  const waits = ends.slice(1).map((time, index) => time - ends[index]!)
  const longestWait = Math.max(...waits)
  return {
    swaps,
    rotating: endOf(({ ratio }) => ratio),
    late: endOf(({ worst }) => worst),
    holdingA: ofA(1),
    holdingB: { a: first / last, b: first },
    medianWait: medianOf(waits.slice(1, -1)),
    longestWait,
    isLongestUnderWay: waits.at(-1) === longestWait,
    drawdown: drawdownOf(ratios, swaps, cost),
  }
}

const swapped = (units: number, to: 'a' | 'b', ratio: number, cost: number): number =>
  (1 - cost) * (to === 'b' ? units * ratio : units / ratio)

/**
 * The swaps that alerts would have led to. A side is armed once the ratio has been on its near side, as an alert is, so that a
 * series that begins beyond a line does not swap there. A swap is made at the line, never better: the point shows by how much the
 * ratio has overshot it. Two are made at their own point's ratio, since the line was not crossed in sight: the one after a gap,
 * and the one at a line that has passed the ratio while the coin was swapped at the other side.
 */
function swapsOf({ times, ratios, levels }: Omit<BacktestInput, 'cost'>): Swap[] {
  const swaps: Swap[] = []
  const armed = { high: false, low: false }
  let end: RangeEnd = 'high'
  let before = NaN
  for (let i = 0; i < ratios.length; i++) {
    const ratio = ratios[i]!
    if (!(ratio > 0)) continue
    const line = { high: lineAt(levels, 'high', i), low: lineAt(levels, 'low', i) }
    if (levels.kind === 'steps' && (line.high !== levels.high[i - 1] || line.low !== levels.low[i - 1])) {
      armed.high = armed.low = false
    }
    armed.high ||= before < line.high
    armed.low ||= before > line.low
    const level = line[end]
    const sign = outwards(end)
    if (armed[end] && sign * ratio >= sign * level) {
      const isCrossed = sign * before < sign * level
      const isLate = isAfterGap(times, i) || (!isCrossed && swaps.at(-1)?.at === i - 1)
      const made = isLate ? ratio : level
      const next = ratios[i + 1] ?? made
      swaps.push(
        sign > 0
          ? { at: i, to: 'b', ratio: made, worst: next > 0 ? Math.min(made, next) : made }
          : { at: i, to: 'a', ratio: made, worst: Math.max(made, next) },
      )
      armed[end] = false
      end = sign > 0 ? 'low' : 'high'
    }
    before = ratio
  }
  return swaps
}

function lineAt(levels: SwapLevels, end: RangeEnd, at: number): number {
  if (levels.kind === 'thresholds') return levels[end]
  return levels[end][levels.kind === 'bands' ? at - 1 : at] ?? NaN
}

/** By the spacing before it, since the older part of a chart may be of coarser records. */
const isAfterGap = (times: Float64Array, at: number): boolean =>
  at > 1 && times[at]! - times[at - 1]! > WIDEST_GAP * (times[at - 1]! - times[at - 2]!)

function drawdownOf(ratios: Float64Array, swaps: readonly Swap[], cost: number): number {
  let [units, peak, drawdown, next] = [1, 0, 0, 0]
  for (let i = 0; i < ratios.length; i++) {
    const swap = swaps[next]
    if (swap?.at === i) {
      units = swapped(units, swap.to, swap.ratio, cost)
      next++
    }
    if (!(ratios[i]! > 0)) continue
    const inA = swaps[next - 1]?.to === 'b' ? units / ratios[i]! : units
    peak = Math.max(peak, inA)
    drawdown = Math.max(drawdown, 1 - inA / peak)
  }
  return drawdown
}

/**
 * The ratio at which the way back has paid the cost of both swaps: below it after a swap of A for B, above it after one of B
 * for A, there are more coins than before.
 * @param end the swap at `ratio`: at a high A becomes B, at a low B becomes A
 */
export const breakEven = (end: RangeEnd, ratio: number, cost: number): number =>
  end === 'high' ? ratio * (1 - cost) ** 2 : ratio / (1 - cost) ** 2
