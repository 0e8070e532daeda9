import * as z from 'zod/mini'
import { MAX_HOLD_MINUTES, MAX_MARGIN } from '../domain/alerts'
import { checkpoint } from './checkpoint'
import { rule } from './rules'
import type { Route } from './route'
import { coinId, isoTime, opId, positive, widgetId, widgetIdInList } from './scalars'

const alertMargin = z.number().check(z.minimum(0), z.maximum(MAX_MARGIN))
const alertHold = z.int().check(z.minimum(0), z.maximum(MAX_HOLD_MINUTES))

export const widget = z.object({
  id: widgetId,
  display_order: z.int().check(z.minimum(0)),
  coin_a_id: coinId,
  coin_b_id: coinId,
  high_threshold: z.nullable(positive),
  low_threshold: z.nullable(positive),
  notifications_enabled: z.boolean(),
  high_threshold_active: z.boolean(),
  low_threshold_active: z.boolean(),
  /** Counts how often the side was re-armed, from 0; a crossing is named widget:side:epoch. */
  high_epoch: z.int().check(z.minimum(0)),
  low_epoch: z.int().check(z.minimum(0)),
  /** How far the ratio comes back before a threshold is armed again: a share of the threshold, 0.005 = 0.5 %. */
  alert_margin: z._default(alertMargin, 0),
  /** Minutes beyond a threshold before it fires. */
  alert_hold_minutes: z._default(alertHold, 0),
  /** Alerts that fire before are recorded and never sent; absent: it is not snoozed, or is no longer. */
  snoozed_until: z.optional(z.nullable(isoTime)),
  /** Or until the first of its alerts is armed again, if that is sooner. */
  snoozed_until_back: z.optional(z.boolean()),
  is_active: z.boolean(),
  created_at: z.string(),
  created_by_op: z.nullable(opId),
  checkpoints: z.array(checkpoint),
  /** Alerts beside the two thresholds; absent in answers of older servers. */
  rules: z.optional(z.array(rule)),
})
export type Widget = z.infer<typeof widget>

export const createWidgetBody = z.strictObject({
  coin_a_id: coinId,
  coin_b_id: coinId,
  high_threshold: z._default(z.nullable(positive), null),
  low_threshold: z._default(z.nullable(positive), null),
  notifications_enabled: z._default(z.boolean(), false),
})
/** A field that is absent stays as it is; null clears a threshold. */
const updateWidgetBody = z.strictObject({
  high_threshold: z.optional(z.nullable(positive)),
  low_threshold: z.optional(z.nullable(positive)),
  notifications_enabled: z.optional(z.boolean()),
  high_threshold_active: z.optional(z.boolean()),
  low_threshold_active: z.optional(z.boolean()),
  alert_margin: z.optional(alertMargin),
  alert_hold_minutes: z.optional(alertHold),
  /** Null ends it. With `snoozed_until_back` it is over at once where no alert of the pair has fired. */
  snoozed_until: z.optional(z.nullable(isoTime)),
  snoozed_until_back: z.optional(z.boolean()),
})
const reorderWidgetsBody = z.strictObject({
  ordered_ids: z.array(widgetIdInList).check(z.maxLength(1000)),
  /** Active and inactive widgets may change places; absent: an order that mixes them is refused. */
  exchange: z.optional(z.literal(true)),
})

export type CreateWidgetBody = z.input<typeof createWidgetBody>
export type UpdateWidgetBody = z.infer<typeof updateWidgetBody>
export type SnoozeBody = Pick<UpdateWidgetBody, 'snoozed_until' | 'snoozed_until_back'>
export type ReorderWidgetsBody = z.infer<typeof reorderWidgetsBody>

const ofWidget = z.strictObject({ id: widgetId })

export const widgetRoutes = {
  listWidgets: {
    method: 'GET',
    path: '/widgets',
    identity: 'any',
    summary: "The caller's widgets by display order, each with its checkpoints",
    revised: true,
    answer: z.array(widget),
  },
  createWidget: {
    method: 'POST',
    path: '/widgets',
    identity: 'any',
    summary: 'Adds a widget for an ordered pair of coins',
    revised: true,
    body: createWidgetBody,
    status: 201,
    answer: widget,
  },
  updateWidget: {
    method: 'PUT',
    path: '/widgets/:id',
    identity: 'any',
    summary: 'Changes thresholds, notifications and arming',
    revised: true,
    params: ofWidget,
    body: updateWidgetBody,
    whenGone: 204,
    answer: widget,
  },
  deleteWidget: {
    method: 'DELETE',
    path: '/widgets/:id',
    identity: 'any',
    summary: 'Removes a widget and its checkpoints',
    revised: true,
    params: ofWidget,
    status: 204,
    answer: null,
  },
  reorderWidgets: {
    method: 'POST',
    path: '/widgets/reorder',
    identity: 'any',
    summary: 'Sets the order within the active and the inactive widgets, or exchanges widgets between them',
    revised: true,
    body: reorderWidgetsBody,
    answer: z.array(widget),
  },
} as const satisfies Record<string, Route>
