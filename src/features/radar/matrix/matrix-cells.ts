import type { StatisticWindow } from '../../../domain/pair-statistics'
import { isPegged } from '../../../domain/peg'
import { columnsOf, radarFigures, type RadarFigures, type RadarMarket } from '../radar-market'

/** The listed pairs as a square of coins × coins, best by market cap first. */
export interface MatrixCells {
  readonly size: number
  /** Rows of the market's coins, by place. */
  readonly coins: readonly number[]
  /** By place of A × size + place of B: the z of A / B, so that cell (A, B) is minus cell (B, A); NaN: none, or a peg's. */
  readonly z: Float32Array
  /** The pairs, in either half; −1: not listed. */
  readonly pairs: Int32Array
}

/** @param rows the listed pairs */
export function matrixOf(market: RadarMarket, rows: Uint32Array, window: StatisticWindow): MatrixCells {
  const { a, b } = market
  const isListed = new Uint8Array(market.coins.length)
  for (const pair of rows) isListed[a[pair]!] = isListed[b[pair]!] = 1
  const coins = [...market.coins.keys()].filter((row) => isListed[row] === 1)
  const size = coins.length
  const place = new Int16Array(market.coins.length)
  for (const [index, row] of coins.entries()) place[row] = index
  const z = new Float32Array(size * size).fill(NaN)
  const pairs = new Int32Array(size * size).fill(-1)
  const { z: values, deviation } = columnsOf(market, window)
  for (const pair of rows) {
    const [placeA, placeB] = [place[a[pair]!]!, place[b[pair]!]!]
    if (!isPegged(deviation[pair]!)) {
      z[placeA * size + placeB] = values[pair]!
      z[placeB * size + placeA] = -values[pair]!
    }
    pairs[placeA * size + placeB] = pairs[placeB * size + placeA] = pair
  }
  return { size, coins, z, pairs }
}

/** A cell by its places: row A, column B. */
export interface CellPlace {
  readonly row: number
  readonly column: number
}

/** The figures of A / B in a cell; null: the diagonal, or a pair that is not listed. */
export function cellFigures(
  market: RadarMarket,
  cells: MatrixCells,
  { row, column }: CellPlace,
  window: StatisticWindow,
): RadarFigures | null {
  const pair = cells.pairs[row * cells.size + column] ?? -1
  return pair < 0 ? null : radarFigures(market, pair, window, market.a[pair] !== cells.coins[row])
}

/** The cell furthest above its average, at which the keys begin. */
export function furthestCell({ size, z }: MatrixCells): CellPlace {
  let best = 1
  for (let cell = 0; cell < z.length; cell++)
    if (!(z[cell]! <= (z[best] ?? NaN))) if (!Number.isNaN(z[cell]!)) best = cell
  return { row: Math.floor(best / size), column: best % size }
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
}

/** The cell to which a key leads; null: another key. With Ctrl, Home and End lead to the corners. */
export function cellAfter(
  { row, column }: CellPlace,
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  size: number,
): CellPlace | null {
  const step = STEPS[key]
  if (step === undefined) return null
  const clamp = (place: number) => Math.max(0, Math.min(size - 1, place))
  const [down, right] = step
  const isCorner = ctrlKey && (key === 'Home' || key === 'End')
  return { row: clamp(row + (isCorner ? right : down)), column: clamp(column + right) }
}
