import { withDecimals } from './format-number'
import { RULE_KIND_NAMES, type RuleKind } from './rule-kinds'

/** Of an event: the rule is over before it fired again. */
export const RULE_EXPIRED = 'rule_expired'

export const isRuleKind = (kind: string): kind is RuleKind => (RULE_KIND_NAMES as readonly string[]).includes(kind)

interface RuleFacts {
  /** In the level's unit; absent: not known. */
  readonly measure?: number
  readonly window?: string | number
}

const WORDS: Readonly<Record<RuleKind, (measure: string, window: string) => string>> = {
  move_up: (measure, window) => `moved up ${measure} within ${window}`,
  move_down: (measure, window) => `moved down ${measure} within ${window}`,
  move: (measure, window) => `moved ${measure} within ${window}`,
  z_above: (measure, window) => `stands ${measure} from the average of ${window}`,
  z_below: (measure, window) => `stands ${measure} from the average of ${window}`,
  trailing_fall: (measure) => `fell ${measure} from its high`,
  trailing_rise: (measure) => `rose ${measure} from its low`,
  since_checkpoint_up: (measure) => `is up ${measure} since the checkpoint`,
  since_checkpoint_down: (measure) => `is down ${measure} since the checkpoint`,
}

/** Words that follow the pair: "moved up 5.2 % within 1 h", "stands +2.1 deviations from the average of 90 days". */
export function ruleWords(kind: RuleKind, { measure = NaN, window = '' }: RuleFacts): string {
  const isDeviation = kind === 'z_above' || kind === 'z_below'
  const figure = isDeviation
    ? `${measure > 0 ? '+' : '−'}${withDecimals(Math.abs(measure), 1)} deviations`
    : `${withDecimals(measure, 1)} %`
  return WORDS[kind](figure, windowWords(isDeviation ? Number(window) : window))
}

/** A rule as it is worded; one of a newer version of the app may be of another kind. */
interface WordedRule {
  readonly kind: string
  readonly level: number
  readonly window: string | number | null
}

/** The kinds as the dialog offers them, the plainest first. */
export const KIND_OPTIONS: Readonly<Record<RuleKind, string>> = {
  move: 'Moves',
  move_up: 'Moves up',
  move_down: 'Moves down',
  z_above: 'Deviations above',
  z_below: 'Deviations below',
  trailing_fall: 'Falls from its high',
  trailing_rise: 'Rises from its low',
  since_checkpoint_up: 'Up since checkpoint',
  since_checkpoint_down: 'Down since checkpoint',
}

/** Such as "24 h", "7 days" or "90 days". */
export function windowWords(window: string | number): string {
  if (typeof window === 'number') return `${window}\u00A0days`
  const count = Number.parseInt(window, 10)
  const unit = { m: 'min', h: 'h', d: 'days' }[window.slice(-1)] ?? ''
  return `${count}\u00A0${unit}`
}

const percent = (value: number): string => `${Number(value.toFixed(2))}\u00A0%`
const deviations = (value: number): string => `${Number(Math.abs(value).toFixed(2))}\u00A0deviations`

const within = ({ window }: WordedRule): string => (window === null ? '' : ` within ${windowWords(window)}`)
const ofMean = (rule: WordedRule, isAbove: boolean): string => {
  // Above −2 deviations is less than two deviations below the mean.
  const place =
    rule.level === 0 ? 'its mean' : `${deviations(rule.level)} ${rule.level > 0 ? 'above' : 'below'} its mean`
  return `${isAbove ? 'Above' : 'Below'} ${place} of ${windowWords(rule.window ?? '')}`
}

const SENTENCES: Readonly<Record<RuleKind, (rule: WordedRule) => string>> = {
  move: (rule) => `Moves ${percent(rule.level)}${within(rule)}`,
  move_up: (rule) => `Moves up ${percent(rule.level)}${within(rule)}`,
  move_down: (rule) => `Moves down ${percent(rule.level)}${within(rule)}`,
  z_above: (rule) => ofMean(rule, true),
  z_below: (rule) => ofMean(rule, false),
  trailing_fall: ({ level }) => `Falls ${percent(level)} from its high`,
  trailing_rise: ({ level }) => `Rises ${percent(level)} from its low`,
  since_checkpoint_up: ({ level }) => `Up ${percent(level)} since the checkpoint`,
  since_checkpoint_down: ({ level }) => `Down ${percent(level)} since the checkpoint`,
}

/** Such as "Moves 5 % within 24 h". */
export const ruleSentence = (rule: WordedRule): string =>
  isRuleKind(rule.kind) ? SENTENCES[rule.kind](rule) : 'An alert of a newer version'
