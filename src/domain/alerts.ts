import { MINUTE } from './granularity'
import type { RuleId } from './ids'

/** The two thresholds of a widget as rules, by their names. `sign`: 1 if a greater ratio is beyond it. */
export const SIDES = { high: { kind: 'above', sign: 1 }, low: { kind: 'below', sign: -1 } } as const
export type AlertSide = keyof typeof SIDES
export const ALERT_SIDES = ['high', 'low'] as const satisfies readonly AlertSide[]
export const OPPOSITE_SIDE = { high: 'low', low: 'high' } as const satisfies Sides<AlertSide>
export const SIDE_LOOKS = {
  high: { name: 'High', direction: 'up', beyond: 'Above high' },
  low: { name: 'Low', direction: 'down', beyond: 'Below low' },
} as const

export type Sides<T> = Readonly<Record<AlertSide, T>>
export const bySide = <T>(of: (side: AlertSide) => T): Sides<T> => ({ high: of('high'), low: of('low') })

/** The rule that a widget's threshold is. */
export const ruleOf = (widget: string, side: AlertSide): RuleId => `${widget}:${side}` as RuleId

/** The rule that a pair's coming to an extreme is; its epochs are numbers of UTC days. */
export const extremeRuleOf = (widget: string, side: AlertSide): RuleId => `extreme:${ruleOf(widget, side)}` as RuleId

/** The rule that a pair can be judged; its epochs are the minutes in which that ended. */
export const judgedRuleOf = (widget: string): RuleId => `${UNJUDGED}:${widget}` as RuleId

/** The rule with this id beside the thresholds. */
export const storedRuleOf = (id: string): RuleId => `rule:${id}` as RuleId

/** The name of one crossing on server, page and every device: an epoch of a rule fires once. */
export const alertEventId = (rule: RuleId, epoch: number): string => `${rule}:${epoch}`

/** Of an alert: the pair could not be judged for an hour. Its `side` is the coin with the older price, A `high`. */
export const UNJUDGED = 'unjudged'

/** Kinds of alerts that are of no threshold: the pair has come to an extreme of its days. */
export const EXTREME_KINDS: readonly string[] = ['extreme_high', 'extreme_low']

/** Milliseconds: an older price fires, announces and re-arms nothing. */
export const ALERT_FRESHNESS = 10 * MINUTE
/**
 * True if a price observed at `at` is recent enough to judge alerts. Check both times of both legs. A time more than
 * ALERT_FRESHNESS ahead counts as stale: the clock was wrong. Milliseconds since 1970.
 */
export const isFreshForAlerts = (at: number, now: number): boolean => Math.abs(now - at) <= ALERT_FRESHNESS

/** Ratios; null: none is set. */
export type Thresholds = Sides<number | null>

/** True: the side fires at its next crossing. */
export type Armed = Sides<boolean>

export const thresholdsOf = (sides: Sides<{ readonly threshold: number | null }>): Thresholds =>
  bySide((side) => sides[side].threshold)

export const hasThreshold = (sides: Sides<{ readonly threshold: number | null }>): boolean =>
  ALERT_SIDES.some((side) => sides[side].threshold !== null)

export const armedOf = (sides: Sides<{ readonly armed: boolean }>): Armed => bySide((side) => sides[side].armed)

/** Above the high threshold or below the low one; equal is not beyond. */
export const isBeyond = (side: AlertSide, ratio: number, threshold: number): boolean =>
  SIDES[side].sign * (ratio - threshold) > 0

type RuleKind = (typeof SIDES)[AlertSide]['kind']
export const signOf = (kind: RuleKind): 1 | -1 => (kind === 'above' ? 1 : -1)

/** A share of the level. */
export const MAX_MARGIN = 0.5
export const MAX_HOLD_MINUTES = 1440

/** A level on a measure of its pair. */
export interface AlertRule {
  readonly kind: RuleKind
  /** In the unit of the measure; of `above` and `below` a ratio. */
  readonly level: number
  /** How far the measure comes back before the rule is armed again, a share of the level. */
  readonly margin: number
  /** Minutes that the measure stays beyond the level before the rule fires. */
  readonly holdMinutes: number
}

export interface RuleState {
  /** It fires at its next crossing. */
  readonly armed: boolean
  /** Milliseconds: the measure is beyond the level, and the rule fires if it still is at this time; null: it is not. */
  readonly dueAt: number | null
}

/** `held`: the measure has gone beyond the level and has to stay there; `left`: it did not stay. */
type RuleVerdict = 'fired' | 'back' | 'held' | 'left' | 'same'

/** The measure at which a rule that has fired is armed again. */
export const backLevel = ({ kind, level, margin }: Omit<AlertRule, 'holdMinutes'>): number =>
  level * (1 - signOf(kind) * margin)

/** Two levels of one measure, that grows towards the first. */
interface Levels {
  /** Beyond it an armed rule fires. */
  readonly fires: number
  /** At it or below, a rule that has fired is armed again. */
  readonly back: number
  readonly holdMinutes: number
}

/**
 * Judges a measure. Beyond its level for as long as it is to hold, an armed rule fires and is disarmed, so that a crossing
 * fires once; back by its margin, it is armed again. A measure that is not known changes nothing.
 * @param now milliseconds
 * @returns the same `state` unless the verdict says that it has changed
 */
export function judgeLevels(
  { fires, back, holdMinutes }: Levels,
  measure: number | null,
  state: RuleState,
  now: number,
): { readonly verdict: RuleVerdict; readonly state: RuleState } {
  if (measure === null || !Number.isFinite(measure)) return { verdict: 'same', state }
  if (!state.armed) {
    const isBack = measure <= back
    return isBack ? { verdict: 'back', state: { armed: true, dueAt: null } } : { verdict: 'same', state }
  }
  if (measure <= fires) {
    return state.dueAt === null ? { verdict: 'same', state } : { verdict: 'left', state: { armed: true, dueAt: null } }
  }
  if (holdMinutes === 0 || (state.dueAt !== null && state.dueAt <= now)) {
    return { verdict: 'fired', state: { armed: false, dueAt: null } }
  }
  if (state.dueAt !== null) return { verdict: 'same', state }
  return { verdict: 'held', state: { armed: true, dueAt: now + holdMinutes * MINUTE } }
}

/** `judgeLevels` of a threshold. */
export function judge(rule: AlertRule, measure: number | null, state: RuleState, now: number) {
  const sign = signOf(rule.kind)
  const levels = { fires: sign * rule.level, back: sign * backLevel(rule), holdMinutes: rule.holdMinutes }
  return judgeLevels(levels, measure && sign * measure, state, now)
}

type ArmedFields = Readonly<Record<`${AlertSide}_threshold_active`, boolean>>
type EpochFields = Readonly<Record<`${AlertSide}_epoch`, number>>

/**
 * Next alert epochs. Re-arming a disarmed side starts a new epoch, so its next crossing is a new event; a side that stays
 * armed keeps its epoch.
 */
export const nextEpochs = (
  before: ArmedFields & EpochFields,
  change: { readonly [K in keyof ArmedFields]?: boolean | undefined },
): Partial<EpochFields> =>
  Object.fromEntries(
    ALERT_SIDES.filter(
      (side) => change[`${side}_threshold_active`] === true && !before[`${side}_threshold_active`],
    ).map((side) => [`${side}_epoch`, before[`${side}_epoch`] + 1]),
  )
