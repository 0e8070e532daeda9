import type { Rule } from '../../contract/rules'
import { canonical, changeWidget, findOptimistic, type KnownIds, type OptimisticRule } from '../board'
import type { DurableRoute } from '../call'
import type { EntryError, OfRule, OutboxEntry } from '../outbox-entry'
import type { MutationType, WireRequest } from './mutation-type'
import { toWidget, widgetMutation } from './widget-mutations'

/** Common to all mutations of a widget's rules. */
const ruleMutation = {
  ...widgetMutation,
  refusal: ({ failure, label }: Pick<OutboxEntry, 'failure' | 'label'>, { message }: Pick<EntryError, 'message'>) =>
    `${failure ?? `Failed to change an alert of ${label}`}: ${message}`,
}

/** Of mutations of one rule that is there. */
const changeMutation = {
  ...ruleMutation,
  requires: ({ widget, rule }: OfRule): readonly string[] => [widget, rule],
}

const toRule = (route: DurableRoute, { widget, rule }: OfRule, ids: KnownIds, body?: unknown): WireRequest => ({
  route,
  params: { id: canonical(ids, widget), rule_id: canonical(ids, rule) },
  body,
})

/** The rule of a create, as it shows until the server has answered. */
const optimisticRule = (
  { op_id, created_at, payload }: OutboxEntry<'rule.create@1'>,
  id: OptimisticRule['id'],
): OptimisticRule => ({
  ...payload.body,
  id,
  widget_id: payload.widget,
  armed: true,
  epoch: 0,
  created_at: new Date(created_at).toISOString(),
  created_by_op: op_id,
  pending: true,
})

export const ruleCreate: MutationType<'rule.create@1'> = {
  ...ruleMutation,
  createsId: ({ rule }) => rule,
  request: (payload, ids) => toWidget('createRule', payload, ids, payload.body),

  applyTo(board, entry) {
    const { widget: id, rule: temp } = entry.payload
    // Another answer or a pull brought it already: what is done to it is done to that rule.
    const there = findOptimistic(board, id)?.rules.find((one) => one.created_by_op === entry.op_id)
    if (there !== undefined) return { ...board, resolve: (one) => (one === temp ? there.id : board.resolve(one)) }
    return changeWidget(board, id, (widget) => ({
      ...widget,
      rules: [...widget.rules, optimisticRule(entry, board.resolve(temp) as OptimisticRule['id'])],
    }))
  },

  answerRows(_payload, answer) {
    const made = answer as Rule
    return {
      map: made.id,
      rules: (before) => (before.some(({ id }) => id === made.id) ? before : [...before, made]),
    }
  },

  title: (label) => `Add an alert of ${label}`,
  /** The user reads this when another device has removed the pair, or the alert itself, since it was added. */
  doneNote: (label) => `The alert of ${label} was not saved: it or its pair was already removed from server.`,
}

export const ruleUpdate: MutationType<'rule.update@1'> = {
  ...changeMutation,
  mergeWith: (earlier, later) =>
    earlier.rule === later.rule ? { ...later, body: { ...earlier.body, ...later.body } } : null,
  request: (payload, ids) => toRule('updateRule', payload, ids, payload.body),
  title: (label) => `Change an alert of ${label}`,

  applyTo: (board, { payload }) =>
    changeWidget(board, payload.widget, (widget) => ({
      ...widget,
      rules: widget.rules.map((one) =>
        one.id === board.resolve(payload.rule) ? ({ ...one, ...payload.body } as OptimisticRule) : one,
      ),
    })),

  // A rule that is gone here is not brought back.
  answerRows: (_payload, answer) =>
    answer === null
      ? {}
      : { rules: (before) => before.map((one) => (one.id === (answer as Rule).id ? (answer as Rule) : one)) },
}

export const ruleDelete: MutationType<'rule.delete@1'> = {
  ...changeMutation,
  mergeWith: (earlier, later) => (earlier.rule === later.rule ? earlier : null),
  request: (payload, ids) => toRule('deleteRule', payload, ids),
  title: (label) => `Remove an alert of ${label}`,
  doneWhen: ['NOT_FOUND'],

  applyTo: (board, { payload }) =>
    changeWidget(board, payload.widget, (widget) => ({
      ...widget,
      rules: widget.rules.filter(({ id }) => id !== board.resolve(payload.rule)),
    })),

  answerRows: (payload, _answer, ids) => ({
    rules: (before) => before.filter(({ id }) => id !== canonical(ids, payload.rule)),
  }),
}
