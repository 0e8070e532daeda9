import { DAY, HOUR, MINUTE } from './granularity'
import {
  type DayWindow,
  factsOf,
  type MoveWindow,
  type PairMeasure,
  RULE_KIND_NAMES,
  type RuleKind,
  type RuleWindow,
} from './rule-kinds'
import type { StandingDays } from './standing'

/*
 * A measure is a number of a pair at a moment, whoever has rules on it and however many. It grows towards the level of its rules:
 * that of kinds which fire below their level has the other sign.
 */

interface Measure {
  readonly of: PairMeasure
  readonly sign: 1 | -1
  readonly window: RuleWindow | null
}

/** Such as `rise 1h`, `-z 90`, `ratio`. */
const nameOf = ({ sign, of, window }: Measure): string =>
  `${sign === 1 ? '' : '-'}${of}${window === null ? '' : ` ${window}`}`

const measureOf = (kind: RuleKind, window: RuleWindow | null): Measure => {
  const { measure: of, sign } = factsOf(kind)
  return { of, sign, window }
}

/** The name of the measure that a rule is on. */
export const measureName = (kind: RuleKind, window: RuleWindow | null): string => nameOf(measureOf(kind, window))

/** All measures, by their names. */
export const MEASURES: ReadonlyMap<string, Measure> = new Map(
  RULE_KIND_NAMES.flatMap((kind) => {
    const { windows } = factsOf(kind)
    return (windows.length === 0 ? [null] : windows).map((window) => measureOf(kind, window))
  }).map((measure) => [nameOf(measure), measure]),
)

/** Milliseconds: how far a window reaches back, and the width of the points that are its prices. */
export const MOVES: Readonly<Record<MoveWindow, { readonly span: number; readonly step: number }>> = {
  '15m': { span: 15 * MINUTE, step: 5 * MINUTE },
  '1h': { span: HOUR, step: 5 * MINUTE },
  '4h': { span: 4 * HOUR, step: 5 * MINUTE },
  '24h': { span: DAY, step: 5 * MINUTE },
  // Five-minute points are kept for three days.
  '7d': { span: 7 * DAY, step: 30 * MINUTE },
}

/** Prices of a coin, point by point, up to the last point that has ended. */
export interface CoinPoints {
  /** Number since 1970 of the point behind the last. */
  readonly end: number
  /** NaN: not known. */
  readonly prices: Float64Array
}

export interface Extent {
  readonly lowest: number
  readonly highest: number
}

/**
 * Lowest and highest ratio among the points of a window that begin in it and have ended. Null: they are less than half of it.
 * @param now milliseconds
 */
export function extentOf(a: CoinPoints, b: CoinPoints, window: MoveWindow, now: number): Extent | null {
  const { span, step } = MOVES[window]
  const end = Math.min(Math.floor(now / step), a.end, b.end)
  const [ofA, ofB] = [a.prices.length - a.end, b.prices.length - b.end]
  let [lowest, highest, known] = [Infinity, -Infinity, 0]
  for (let point = Math.ceil((now - span) / step); point < end; point++) {
    const ratio = a.prices[point + ofA]! / b.prices[point + ofB]!
    if (!(ratio < Infinity)) continue
    known += 1
    if (ratio < lowest) lowest = ratio
    if (ratio > highest) highest = ratio
  }
  return known * step * 2 >= span ? { lowest, highest } : null
}

/** Figures of a pair that its measures are made of; null: not known. */
export interface PairSight {
  readonly ratio: number
  readonly extent: (window: MoveWindow) => Extent | null
  readonly days: (window: DayWindow) => StandingDays | null
}

const rise = (ratio: number, { lowest }: Extent): number => (ratio / Math.min(lowest, ratio) - 1) * 100
const fall = (ratio: number, { highest }: Extent): number => (1 - ratio / Math.max(highest, ratio)) * 100

const READ: Readonly<Record<PairMeasure, (sight: PairSight, window: RuleWindow | null) => number | null>> = {
  ratio: ({ ratio }) => ratio,
  rise: (sight, window) => ofMove(sight, window, rise),
  fall: (sight, window) => ofMove(sight, window, fall),
  move: (sight, window) => ofMove(sight, window, (ratio, extent) => Math.max(rise(ratio, extent), fall(ratio, extent))),
  z: ({ ratio, days }, window) => {
    const known = ratio > 0 ? days(window as DayWindow) : null
    if (known === null || known.deviation === 0) return null
    return (Math.log(ratio / known.sorted[0]!) - known.mean) / known.deviation
  },
}

function ofMove(
  { ratio, extent }: PairSight,
  window: RuleWindow | null,
  of: (ratio: number, extent: Extent) => number,
): number | null {
  const found = extent(window as MoveWindow)
  return found && of(ratio, found)
}

/** Null: not known now. */
export function readMeasure({ of, sign, window }: Measure, sight: PairSight): number | null {
  const value = READ[of](sight, window)
  if (value === null || !Number.isFinite(value)) return null
  // Not a product: 0 has one sign.
  return sign === 1 ? value : 0 - value
}

/** The measure in the unit of its rules' levels, of rules whose level is reckoned from an anchor the change from it in per cent. */
export function measureInUnit(kind: RuleKind, measure: number, anchor: number | null): number {
  const { sign, anchor: from } = factsOf(kind)
  if (from === null) return sign * measure
  return anchor === null ? 0 : Math.abs(measure / anchor - 1) * 100
}
