import type { RuleKind } from '../../domain/rule-kinds'
import { isRuleKind, windowWords } from '../../domain/rule-words'

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
