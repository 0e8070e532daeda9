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

/** Such as "24 h", "7 days" or "90 days". */
export function windowWords(window: string | number): string {
  if (typeof window === 'number') return `${window}\u00A0days`
  const count = Number.parseInt(window, 10)
  const unit = { m: 'min', h: 'h', d: 'days' }[window.slice(-1)] ?? ''
  return `${count}\u00A0${unit}`
}
