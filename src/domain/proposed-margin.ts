import { type AlertRule, judge, MAX_MARGIN, type RuleState, signOf } from './alerts'
import { dayEnd } from './daily-matrix'
import { medianOf } from './excursions'
import { DAY } from './granularity'
import type { RatioSeries } from './ratio-series'

/** Closed days that a margin is proposed from, and how many moves make a proposal. */
const DAYS = 90
const LEAST_MOVES = 20
/** Share of the median daily move: a ratio trembles by less around a threshold, and comes back by more when it turns. */
const SHARE_OF_MOVE = 1 / 4

/** Of a margin as it is proposed: 0.07 %, 0.3 %, 1.5 %. */
const stepOf = (margin: number): number => (margin < 0.001 ? 0.0001 : margin < 0.01 ? 0.001 : 0.005)

/**
 * The margin that is proposed for a pair: a quarter of its median daily move, as a share of the threshold.
 * @param closes ratios at the ends of closed days, oldest first; NaN: that day's is not known
 * @returns null: too few days are known, or the ratio does not move
 */
export function proposedMargin(closes: ArrayLike<number>): number | null {
  const moves: number[] = []
  for (let day = Math.max(1, closes.length - DAYS); day < closes.length; day++) {
    const move = Math.abs(Math.log(closes[day]! / closes[day - 1]!))
    if (Number.isFinite(move)) moves.push(move)
  }
  if (moves.length < LEAST_MOVES) return null
  const exact = SHARE_OF_MOVE * medianOf(moves)!
  if (exact === 0) return null
  const step = stepOf(exact)
  return Math.min(MAX_MARGIN, Number((Math.max(1, Math.round(exact / step)) * step).toFixed(4)))
}

/** Closes of the days that have ended, of a series whose last point is the current ratio; NaN: that day's is not known. */
export function closesByDay({ times, ratios }: RatioSeries): readonly number[] {
  const dayOf = (time: number) => Math.ceil(time / DAY) - 1
  const last = times.at(-1) ?? 0
  const closes: number[] = []
  for (const [at, time] of times.entries()) {
    const day = dayOf(time)
    if (dayEnd(day) <= last) closes[day - dayOf(times[0]!)] = ratios[at]!
  }
  return Array.from(closes, (close) => close ?? NaN)
}

/** How often a rule would have fired, judged at each point. It begins armed, unless the first ratio is beyond its level. */
export function alertsOfPast({ times, ratios }: RatioSeries, rule: AlertRule): number {
  const sign = signOf(rule.kind)
  let state: RuleState = { armed: sign * (ratios[0] ?? NaN) <= sign * rule.level, dueAt: null }
  let count = 0
  for (const [at, time] of times.entries()) {
    const judged = judge(rule, ratios[at]!, state, time)
    state = judged.state
    if (judged.verdict === 'fired') count++
  }
  return count
}
