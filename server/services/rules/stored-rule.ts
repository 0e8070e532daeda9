import type { Rule } from '../../../src/contract/rules'
import type { OpId, RuleId, WidgetId } from '../../../src/domain/ids'
import { type RuleMemory, type RuleTerms, turnsOf } from '../../../src/domain/judge-rule'
import { measureName } from '../../../src/domain/rule-measures'
import type { RuleKind, RuleWindow } from '../../../src/domain/rule-kinds'
import { sql } from 'drizzle-orm'
import { alert_rules } from '../../db/schema/widgets'

/** A row of `alert_rules` that is no threshold. */
export type StoredRule = Omit<typeof alert_rules.$inferSelect, 'kind'> & { readonly kind: RuleKind }

/** Windows of days are numbers. */
export const windowOf = (stored: string | null): RuleWindow | null =>
  stored === null ? null : ((/^\d+$/.test(stored) ? Number(stored) : stored) as RuleWindow)

type Terms = Pick<StoredRule, 'kind' | 'level' | 'margin' | 'hold_minutes' | 'repeat' | 'expires_at'>

export const termsOf = ({ kind, level, margin, hold_minutes, repeat, expires_at }: Terms): RuleTerms => ({
  kind,
  level,
  margin,
  holdMinutes: hold_minutes,
  repeat,
  expiresAt: expires_at?.getTime() ?? null,
})

type Memory = Pick<StoredRule, 'armed' | 'ended' | 'epoch' | 'due_at' | 'anchor'>

export const memoryOf = ({ armed, ended, epoch, due_at, anchor }: Memory): RuleMemory => ({
  armed,
  ended,
  epoch,
  dueAt: due_at?.getTime() ?? null,
  anchor,
})

/** Columns of a rule's memory, with the measures at which a price update is to look at it. */
export const memoryColumns = (terms: RuleTerms, memory: RuleMemory) => ({
  armed: memory.armed,
  ended: memory.ended,
  epoch: memory.epoch,
  due_at: memory.dueAt === null ? null : new Date(memory.dueAt),
  anchor: memory.anchor,
  ...turnsOf(terms, memory),
})

export const measureColumns = (kind: RuleKind, window: RuleWindow | null) => ({
  rule_window: window === null ? null : String(window),
  measure: measureName(kind, window),
})

export const ruleAnswer = (row: StoredRule): Rule => ({
  id: row.id as RuleId,
  widget_id: row.widget_id as WidgetId,
  kind: row.kind,
  level: row.level,
  window: windowOf(row.rule_window),
  margin: row.margin,
  hold_minutes: row.hold_minutes,
  repeat: row.repeat,
  expires_at: row.expires_at?.toISOString() ?? null,
  loudness: row.loudness,
  note: row.note,
  armed: row.armed,
  epoch: row.epoch,
  created_at: row.created_at!.toISOString(),
  created_by_op: row.created_by_op as OpId | null,
})

/** A row as PostgreSQL writes it in JSON: times are texts, and so are infinite numbers. */
type RuleOfJson = Omit<StoredRule, 'expires_at' | 'created_at'> &
  Readonly<Record<'expires_at' | 'created_at', string | null>>
export type RulesOfWidget = readonly RuleOfJson[]

/** The rules of a row of `widgets`, in the statement that reads it. */
export const rulesOfWidget = sql<RulesOfWidget | null>`(
  SELECT json_agg(r ORDER BY r.created_at, r.id) FROM ${alert_rules} r
  WHERE r.widget_id = "widgets"."id" AND r.owner_id = "widgets"."owner_id" AND r.measure IS NOT NULL)`

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

export const ruleOfJson = (row: RuleOfJson): Rule =>
  ruleAnswer({ ...row, expires_at: timeOf(row.expires_at), created_at: timeOf(row.created_at) })
