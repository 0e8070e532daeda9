import { medianOf } from './excursions'

/** Share of a swap's amount that fee and spread cost together, until the user sets another. */
export const DEFAULT_SWAP_COST = 0.003
/** A cost beyond this is a slip of the finger. */
export const LARGEST_SWAP_COST = 0.05
/** The default of versions that stored it along with every other choice of the card. */
const FORMER_DEFAULT = 0.002

/** The cost of a swap that the user has typed, else the default. @param choices `fee`: as versions before the spread was part of it stored it */
export const swapCostOf = (choices: { readonly cost?: number; readonly fee?: number } | undefined): number =>
  choices?.cost ?? (choices?.fee === undefined || choices.fee === FORMER_DEFAULT ? DEFAULT_SWAP_COST : choices.fee)

/** The ratios at which a backtest swaps: two thresholds, or a column of each as long as the ratios; NaN: no swap there. */
export type SwapLevels =
  | { readonly kind: 'thresholds'; readonly high: number; readonly low: number }
  | { readonly kind: 'bands'; readonly high: Float64Array; readonly low: Float64Array }

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
 * Rotates between two coins: begins with one unit of A, swaps it for B at the first point at or above `high`, back at the first
 * at or below `low`, and so on, at most once a point. A swap is made at its own point's ratio, less its cost. Bands are those of
 * the same point, which its own ratio is part of: both are known at that moment.
 * @returns null: there is no point, a ratio at an end is zero, or the high threshold is not above the low one
 */
export function backtest({ times, ratios, levels, cost }: BacktestInput): Backtest | null {
  const count = ratios.length
  const [first, last] = [ratios[0] ?? 0, ratios[count - 1] ?? 0]
  // A coin that is worth nothing cannot be counted in.
  if (!(first > 0) || !(last > 0)) return null
  if (levels.kind === 'thresholds' && !(levels.high > levels.low)) return null
  const swaps: Swap[] = []
  let held: 'a' | 'b' = 'a'
  let units = 1
  let peak = 0
  let drawdown = 0
  for (let i = 0; i < count; i++) {
    const ratio = ratios[i]!
    if (!(ratio > 0)) continue
    const high = levels.kind === 'bands' ? levels.high[i]! : levels.high
    const low = levels.kind === 'bands' ? levels.low[i]! : levels.low
    if (held === 'a' && ratio >= high) {
      units *= ratio * (1 - cost)
      held = 'b'
      swaps.push({ at: i, to: 'b' })
    } else if (held === 'b' && ratio <= low) {
      units *= (1 - cost) / ratio
      held = 'a'
      swaps.push({ at: i, to: 'a' })
    }
    const inA = held === 'a' ? units : units / ratio
    peak = Math.max(peak, inA)
    drawdown = Math.max(drawdown, 1 - inA / peak)
  }
  const ofA = (a: number): Holding => ({ a, b: a * last })
  const ends = [times[0]!, ...swaps.map(({ at }) => times[at]!), times[count - 1]!]
  const waits = ends.slice(1).map((time, index) => time - ends[index]!)
  const longestWait = Math.max(...waits)
  return {
    swaps,
    rotating: held === 'a' ? ofA(units) : { a: units / last, b: units },
    holdingA: ofA(1),
    holdingB: { a: first / last, b: first },
    medianWait: medianOf(waits.slice(1, -1)),
    longestWait,
    isLongestUnderWay: waits.at(-1) === longestWait,
    drawdown,
  }
}

/**
 * The ratio at which the way back has paid the cost of both swaps: below it after a swap of A for B, above it after one of B
 * for A, there are more coins than before.
 * @param side the swap at `ratio`: at a high A becomes B, at a low B becomes A
 */
export const breakEven = (side: 'high' | 'low', ratio: number, cost: number): number =>
  side === 'high' ? ratio * (1 - cost) ** 2 : ratio / (1 - cost) ** 2
