import * as z from 'zod/mini'
import { MAX_HOLD_MINUTES } from '../domain/alerts'
import {
  DAY_WINDOWS,
  defaultMargin,
  LONGEST_RULE_NOTE,
  MOVE_WINDOWS,
  RULE_KIND_NAMES,
  RULE_LOUDNESSES,
  RULE_REPEATS,
  ruleProblem,
} from '../domain/rule-kinds'
import type { Route } from './route'
import { isoTime, opId, ruleId, widgetId } from './scalars'

const margin = z.number().check(z.minimum(0))
const holdMinutes = z.int().check(z.minimum(0), z.maximum(MAX_HOLD_MINUTES))
const window = z.nullable(z.union([z.enum(MOVE_WINDOWS), z.literal(DAY_WINDOWS)]))
const repeat = z.enum(RULE_REPEATS)
const loudness = z.enum(RULE_LOUDNESSES)

/** An alert of a pair beside its two thresholds: a level on a measure. */
export const rule = z.object({
  id: ruleId,
  widget_id: widgetId,
  /** One of RULE_KINDS, or of a newer server's. */
  kind: z.string(),
  /** In the unit of its kind: per cent, or deviations. */
  level: z.number(),
  window: z.nullable(z.union([z.string(), z.number()])),
  /** How far the measure comes back before the rule is armed again, in the level's unit. */
  margin,
  hold_minutes: holdMinutes,
  repeat,
  expires_at: z.nullable(z.string()),
  loudness,
  note: z.nullable(z.string()),
  armed: z.boolean(),
  /** Counts how often it was armed anew, from 0; a crossing is named rule:id:epoch. */
  epoch: z.int().check(z.minimum(0)),
  created_at: z.string(),
  created_by_op: z.nullable(opId),
})
export type Rule = z.infer<typeof rule>

const note = z.nullable(
  z.string().check(
    z.maxLength(LONGEST_RULE_NOTE),
    z.refine((text) => !text.includes('\0'), 'Must not contain U+0000.'),
  ),
)

export const createRuleBody = z
  .strictObject({
    kind: z.enum(RULE_KIND_NAMES),
    level: z.number(),
    window: z._default(window, null),
    /** Absent: `defaultMargin`. */
    margin: z.optional(margin),
    hold_minutes: z._default(holdMinutes, 0),
    repeat: z._default(repeat, 'each'),
    expires_at: z._default(z.nullable(isoTime), null),
    loudness: z._default(loudness, 'buzz'),
    note: z._default(note, null),
  })
  .check((context) => {
    const { kind, level, window: its, margin: given = defaultMargin(kind, level) } = context.value
    const message = ruleProblem(kind, { level, window: its, margin: given })
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** A field that is absent stays as it is. */
const updateRuleBody = z.strictObject({
  level: z.optional(z.number()),
  window: z.optional(window),
  margin: z.optional(margin),
  hold_minutes: z.optional(holdMinutes),
  repeat: z.optional(repeat),
  expires_at: z.optional(z.nullable(isoTime)),
  loudness: z.optional(loudness),
  note: z.optional(note),
  armed: z.optional(z.boolean()),
})
export type UpdateRuleBody = z.infer<typeof updateRuleBody>

const ofWidget = z.strictObject({ id: widgetId })
const ofRule = z.strictObject({ id: widgetId, rule_id: ruleId })

export const ruleRoutes = {
  createRule: {
    method: 'POST',
    path: '/widgets/:id/rules',
    identity: 'any',
    summary: 'Adds an alert beside the thresholds',
    revised: true,
    params: ofWidget,
    body: createRuleBody,
    status: 201,
    answer: rule,
  },
  updateRule: {
    method: 'PUT',
    path: '/widgets/:id/rules/:rule_id',
    identity: 'any',
    summary: 'Changes an alert, or arms it',
    revised: true,
    params: ofRule,
    body: updateRuleBody,
    whenGone: 204,
    answer: rule,
  },
  deleteRule: {
    method: 'DELETE',
    path: '/widgets/:id/rules/:rule_id',
    identity: 'any',
    summary: 'Removes an alert',
    revised: true,
    params: ofRule,
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>
