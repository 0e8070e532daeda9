import { alertEventId, extremeRuleOf, ruleOf } from '../../../src/domain/alerts'
import type { RuleId } from '../../../src/domain/ids'
import type { alert_events } from '../../db/schema/alerts'

type Event = Pick<typeof alert_events.$inferSelect, 'widget_id' | 'side' | 'kind' | 'epoch' | 'measure' | 'days'>

export const ruleOfEvent = ({ widget_id, side, kind }: Pick<Event, 'widget_id' | 'side' | 'kind'>): RuleId =>
  (kind === 'threshold' ? ruleOf : extremeRuleOf)(widget_id, side)

export const eventIdOf = (event: Pick<Event, 'widget_id' | 'side' | 'kind' | 'epoch'>): string =>
  alertEventId(ruleOfEvent(event), event.epoch)

interface ExtremeFields {
  readonly kind?: Exclude<Event['kind'], 'threshold'>
  readonly measure?: number
  readonly days?: number
}

/** Fields of an event that is of no threshold. */
export const extremeFields = ({ kind, measure, days }: Pick<Event, 'kind' | 'measure' | 'days'>): ExtremeFields =>
  kind === 'threshold' ? {} : { kind, ...(measure !== null && { measure }), ...(days !== null && { days }) }
