import { alertEventId, extremeRuleOf, judgedRuleOf, ruleOf, storedRuleOf, UNJUDGED } from '../../../src/domain/alerts'
import type { RuleId } from '../../../src/domain/ids'
import type { RuleWindow } from '../../../src/domain/rule-kinds'
import type { alert_events } from '../../db/schema/alerts'
import { windowOf } from '../rules/stored-rule'

type Row = typeof alert_events.$inferSelect
type Named = Pick<Row, 'widget_id' | 'side' | 'kind' | 'rule_id'>
type Facts = Pick<Row, 'kind' | 'measure' | 'days' | 'rule_id' | 'level' | 'rule_window' | 'loudness' | 'note'>

export const ruleOfEvent = ({ widget_id, side, kind, rule_id }: Named): RuleId =>
  kind === UNJUDGED
    ? judgedRuleOf(widget_id)
    : rule_id === null
      ? (kind === 'threshold' ? ruleOf : extremeRuleOf)(widget_id, side)
      : storedRuleOf(rule_id)

export const eventIdOf = (event: Named & Pick<Row, 'epoch'>): string => alertEventId(ruleOfEvent(event), event.epoch)

interface KindFields {
  readonly kind?: Exclude<Row['kind'], 'threshold'>
  readonly measure?: number
  readonly days?: number
  readonly rule?: string
  readonly level?: number
  readonly window?: RuleWindow
  readonly loudness?: Exclude<Row['loudness'], null>
  readonly note?: string
}

/** Fields of an event that is of no threshold. */
export function kindFields(event: Facts): KindFields {
  const { kind, measure, days, rule_id, level, loudness, note } = event
  if (kind === 'threshold') return {}
  const window = windowOf(event.rule_window)
  return {
    kind,
    ...(measure !== null && { measure }),
    ...(days !== null && { days }),
    ...(rule_id !== null && { rule: rule_id }),
    ...(level !== null && { level }),
    ...(window !== null && { window }),
    ...(loudness !== null && { loudness }),
    ...(note !== null && { note }),
  }
}
