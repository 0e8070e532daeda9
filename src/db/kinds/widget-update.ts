import type { UpdateWidgetBody, Widget } from '../../contract/widget'
import { begunArmings } from '../../domain/armings'
import { putWidgetRow } from '../answers/widget-rows'
import { changeWidget } from '../board'
import { canonical } from '../ids'
import type { KindRules } from './kind'
import { reason } from './reason'

/** The fields that are said; an absent field stays as it is, and so must not overwrite. */
const said = (body: UpdateWidgetBody): UpdateWidgetBody =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

export const widgetUpdate: KindRules<'widget.update@1'> = {
  lane: 'change',
  widget: ({ widget }) => widget,
  makes: () => null,
  subjects: ({ widget }) => [widget],
  mentions: () => [],
  without: (payload) => payload,
  absorb: (earlier, later) => ({ ...earlier, body: { ...earlier.body, ...said(later.body) } }),

  lay: (board, { payload }) =>
    changeWidget(
      board,
      payload.widget,
      (widget) => ({ ...widget, ...said(payload.body), ...begunArmings(widget, payload.body) }) as typeof widget,
    ),

  request: ({ widget, body }, ids) => ({ route: 'updateWidget', params: { id: canonical(ids, widget) }, body }),

  async apply({ db, rows }, entry, answer) {
    // 204 marks a replay whose row is gone by now.
    if (rows && answer !== null) await putWidgetRow(db, entry.owner, answer as Widget, 'only-present')
  },

  title: (label) => `Update ${label}`,
  refusal: ({ label }, error) => `Failed to update ${label}: ${reason(error)}. Reverting change.`,
  doneWhen: [],
  doneNote: null,
}
