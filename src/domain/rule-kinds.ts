import type { AlertSide } from './alerts'

/** Windows of moves. */
export const MOVE_WINDOWS = ['15m', '1h', '4h', '24h', '7d'] as const
export type MoveWindow = (typeof MOVE_WINDOWS)[number]
/** Windows of deviations: days before the current ratio, as STATISTIC_WINDOWS. */
export const DAY_WINDOWS = [30, 90, 180, 365] as const
export type DayWindow = (typeof DAY_WINDOWS)[number]
export type RuleWindow = MoveWindow | DayWindow

/** Measures of a pair; with a window, each is a number of its own. */
export type PairMeasure = 'ratio' | 'rise' | 'fall' | 'move' | 'z'

interface RuleKindFacts {
  readonly measure: PairMeasure
  /** −1: it fires below its level. */
  readonly sign: 1 | -1
  /** The level is reckoned from it; null: the level is of the measure's own unit. */
  readonly anchor: 'checkpoint' | 'extreme' | null
  /** Empty: it has none. */
  readonly windows: readonly RuleWindow[]
  /** Of the pair's ratio. */
  readonly side: AlertSide
  readonly unit: '%' | 'deviations'
  /** Bounds of its level, both allowed. */
  readonly least: number
  readonly most: number
}

const move = { sign: 1, anchor: null, windows: MOVE_WINDOWS, unit: '%', least: 0.01 } as const
const deviations = { measure: 'z', anchor: null, windows: DAY_WINDOWS, unit: 'deviations', least: -6, most: 6 } as const
const ofRatio = { measure: 'ratio', windows: [], unit: '%', least: 0.01 } as const
const up = { sign: 1, side: 'high', most: 1000 } as const
const down = { sign: -1, side: 'low', most: 99 } as const

/** The kinds of rules beside the two thresholds: contract, judging and choices are made of this. */
const RULE_KINDS = {
  move_up: { ...move, measure: 'rise', side: 'high', most: 1000 },
  move_down: { ...move, measure: 'fall', side: 'low', most: 99 },
  move: { ...move, measure: 'move', side: 'high', most: 1000 },
  z_above: { ...deviations, sign: 1, side: 'high' },
  z_below: { ...deviations, sign: -1, side: 'low' },
  trailing_fall: { ...ofRatio, ...down, anchor: 'extreme' },
  trailing_rise: { ...ofRatio, ...up, anchor: 'extreme' },
  since_checkpoint_up: { ...ofRatio, ...up, anchor: 'checkpoint' },
  since_checkpoint_down: { ...ofRatio, ...down, anchor: 'checkpoint' },
} as const satisfies Record<string, RuleKindFacts>

export type RuleKind = keyof typeof RULE_KINDS
export const RULE_KIND_NAMES = Object.keys(RULE_KINDS) as [RuleKind, ...RuleKind[]]

export const factsOf = (kind: RuleKind): RuleKindFacts => RULE_KINDS[kind]

/** `once`: by itself it is not armed again. */
export const RULE_REPEATS = ['each', 'once'] as const
/** `quiet`: shown without a sound; `log`: in the list of alerts alone. */
export const RULE_LOUDNESSES = ['buzz', 'quiet', 'log'] as const
export type RuleLoudness = (typeof RULE_LOUDNESSES)[number]
/** Characters. */
export const LONGEST_RULE_NOTE = 200

/** In the level's unit: how far a measure comes back before its rule is armed again, unless the user says otherwise. */
export const defaultMargin = (kind: RuleKind, level: number): number =>
  factsOf(kind).unit === 'deviations' ? 0.25 : level / 4

/** A problem of a rule, in words; null: there is none. */
export function ruleProblem(
  kind: RuleKind,
  { level, window, margin }: { readonly level: number; readonly window: RuleWindow | null; readonly margin: number },
): string | null {
  const { windows, least, most, unit } = factsOf(kind)
  if (level < least || level > most) return `The level must lie between ${least} and ${most} ${unit}.`
  if (window === null ? windows.length > 0 : !windows.includes(window)) {
    return windows.length === 0 ? 'Has no window.' : `The window must be one of ${windows.join(', ')}.`
  }
  if (margin > (unit === '%' ? level : most)) return 'The margin must not be larger than the level.'
  return null
}

/** Rules that a board of the free tier has room for, and each widget of the premium one. */
const MAX_RULES = { free: 1, premium: 10 } as const

/** Why there is no room for another rule; null: there is. */
export function noRoomForRule(present: { readonly ofBoard: number; readonly ofWidget: number }, hasPremium: boolean) {
  if (hasPremium) {
    return present.ofWidget < MAX_RULES.premium ? null : `A pair can have up to ${MAX_RULES.premium} alerts of its own.`
  }
  return present.ofBoard < MAX_RULES.free ? null : 'Without Premium a board can have one alert beside its thresholds.'
}
