import type { CreateWidgetBody, Widget } from '../../contract/widget'
import { isActiveAt, reorder } from '../../domain/layout-order'
import { withoutStop } from '../../domain/error-message'
import { canonical, changeWidget, isSamePair, type KnownIds, type OptimisticWidget, withWidgets } from '../board'
import type { DurableRoute } from '../call'
import { INITIAL_SETTINGS } from '../widget-settings'
import type { OfWidget } from '../outbox-entry'
import type { MutationType, WireRequest } from './mutation-type'

const WIDGET_LIMIT_REACHED = "You've reached the maximum number of widgets for your tier. Please upgrade to add more."
const MIXED = 'Cannot mix active and inactive widgets. Reverting layout.'
const NOT_SAVED = 'Error: Could not save your new layout.'

const wasRemoved = (label: string): string => `Pair ${label} was already removed from server.`

/** The server's reason, to stand within a sentence that has a full stop of its own. */
const reason = ({ message }: { readonly message: string }): string => withoutStop(message)

/** Rules of most mutations of one widget; each kind adds its own. */
export const widgetMutation = {
  conflictClass: 'change' as const,
  widget: ({ widget }: OfWidget) => widget,
  createsId: () => null,
  requires: ({ widget }: OfWidget): readonly string[] => [widget],
  references: () => [],
  withoutReference: <P>(payload: P): P => payload,
  mergeWith: () => null,
  doneWhen: [],
  doneNote: null,
}

export const toWidget = (route: DurableRoute, { widget }: OfWidget, ids: KnownIds, body?: unknown): WireRequest => ({
  route,
  params: { id: canonical(ids, widget) },
  body,
})

export const widgetCreate: MutationType<'widget.create@1'> = {
  ...widgetMutation,
  conflictClass: 'create',
  createsId: ({ widget }) => widget,
  requires: () => [],

  applyTo(board, entry) {
    const { body, widget: temp } = entry.payload
    // The server made it and a pull brought it already, or another device made the same pair: one pair is never shown twice.
    const there = board.widgets.find((one) => one.created_by_op === entry.op_id || isSamePair(one, body))
    if (there !== undefined) return { ...board, resolve: (id) => (id === temp ? there.id : board.resolve(id)) }
    const made: OptimisticWidget = {
      id: board.resolve(temp) as OptimisticWidget['id'],
      display_order: board.widgets.length,
      ...INITIAL_SETTINGS,
      ...(givenFields(body) as Pick<OptimisticWidget, keyof CreateWidgetBody>),
      high_epoch: 0,
      low_epoch: 0,
      is_active: isActiveAt(board.widgets.length, board.slots),
      created_at: new Date(entry.created_at).toISOString(),
      created_by_op: entry.op_id,
      checkpoints: [],
      rules: [],
      pending: true,
      waiting: 0,
      held: 0,
    }
    return { ...board, widgets: [...board.widgets, made] }
  },

  request: ({ body }) => ({ route: 'createWidget', params: {}, body }),

  answerRows: (_payload, answer) => ({ map: (answer as Widget).id, put: answer as Widget }),

  title: (label) => `Add ${label}`,
  refusal: ({ label }, error) =>
    error.error_code === 'WIDGET_LIMIT_REACHED' ? WIDGET_LIMIT_REACHED : `Failed to add ${label}: ${error.message}`,
  doneNote: wasRemoved,
}

/** An absent field stays as it is, and so must not overwrite. */
const givenFields = <B extends object>(body: B): B =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as B

export const widgetUpdate: MutationType<'widget.update@1'> = {
  ...widgetMutation,
  mergeWith: (earlier, later) => ({ ...earlier, body: { ...earlier.body, ...givenFields(later.body) } }),

  applyTo: (board, { payload }) =>
    changeWidget(board, payload.widget, (widget) => ({ ...widget, ...givenFields(payload.body) }) as typeof widget),

  request: (payload, ids) => toWidget('updateWidget', payload, ids, payload.body),
  answerRows: (_payload, answer) => (answer === null ? {} : { put: answer as Widget }),
  title: (label) => `Update ${label}`,
  refusal: ({ label }, error) => `Failed to update ${label}: ${reason(error)}. Reverting change.`,
}

export const widgetDelete: MutationType<'widget.delete@1'> = {
  ...widgetMutation,
  conflictClass: 'delete',
  mergeWith: (earlier) => earlier,

  applyTo(board, { payload }) {
    const real = board.resolve(payload.widget)
    return withWidgets(
      board,
      board.widgets.filter((widget) => widget.id !== real),
    )
  },

  request: (payload, ids) => toWidget('deleteWidget', payload, ids),
  answerRows: () => ({ drop: true }),
  title: (label) => `Remove ${label}`,
  refusal: ({ label }, error) => `Failed to remove ${label}: ${reason(error)}.`,
  doneWhen: ['NOT_FOUND'],
  doneNote: wasRemoved,
}

export const layoutReorder: MutationType<'layout.reorder@1'> = {
  ...widgetMutation,
  conflictClass: 'reorder',
  widget: () => null,
  requires: () => [],
  references: ({ ordered_ids }) => ordered_ids,
  withoutReference: (payload, id) => ({ ...payload, ordered_ids: payload.ordered_ids.filter((one) => one !== id) }),
  // Never merged. A new entry replaces it: the debounce starts anew, behind what was done in between.

  applyTo(board, { payload }) {
    const order = reorder(
      board.widgets,
      payload.ordered_ids.map((id) => board.resolve(id)),
      payload.exchange,
    )
    if (!order.ok) return board
    const byId = new Map(board.widgets.map((widget) => [widget.id as string, widget]))
    return withWidgets(
      board,
      order.ids.flatMap((id) => byId.get(id) ?? []),
    )
  },

  request: ({ ordered_ids, exchange }, ids) => ({
    route: 'reorderWidgets',
    params: {},
    body: { ordered_ids: ordered_ids.map((id) => canonical(ids, id)), ...(exchange && { exchange }) },
  }),

  answerRows: (_payload, answer) => (answer === null ? {} : { order: answer as readonly Widget[] }),

  title: () => 'Save the new layout',
  refusal: (_entry, error) => (error.error_code === 'FORBIDDEN_REORDER_MIX' ? MIXED : NOT_SAVED),
}
