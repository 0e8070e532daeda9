import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type * as z from 'zod'
import type { createRuleBody, Rule, UpdateRuleBody } from '../../../src/contract/rules'
import type { OpId } from '../../../src/domain/ids'
import type { RuleMemory } from '../../../src/domain/judge-rule'
import { defaultMargin, factsOf, noRoomForRule, type RuleKind, ruleProblem } from '../../../src/domain/rule-kinds'
import type { Queryable } from '../../db/open'
import { alert_rules, checkpoints, widgets } from '../../db/schema/widgets'
import { ApiError } from '../../http/api-error'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import type { Owner } from '../owners'
import type { ServiceDeps } from '../service-deps'
import { widenBounds } from './rule-bounds'
import { measureColumns, memoryColumns, memoryOf, ruleAnswer, type StoredRule, termsOf, windowOf } from './stored-rule'

const isRule = isNotNull(alert_rules.measure)

const readRules = async (db: Queryable, which: SQL | undefined): Promise<StoredRule[]> =>
  (await db
    .select()
    .from(alert_rules)
    .where(and(isRule, which))
    .orderBy(asc(alert_rules.created_at), asc(alert_rules.id))) as StoredRule[]

/**
 * Adds a rule to one of the caller's widgets.
 * @throws ApiError NOT_FOUND (no such widget, or the key's rule has been removed since), RULE_EXISTS (with the rule that is
 *   there), RULE_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED
 */
export function createRule(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  widget_id: string,
  { expires_at, window, margin, ...body }: z.output<typeof createRuleBody>,
): Promise<Changed<Rule>> {
  return changeOnce(database, request, {
    forEver: true,
    raises: 'widgets',
    recall: (tx, owner, op) => recallRule(tx, owner, op),
    make: async (tx, owner) => {
      const [widget] = await tx
        .select()
        .from(widgets)
        .where(and(eq(widgets.owner_id, owner.id), eq(widgets.id, widget_id)))
      if (widget === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      const row = {
        ...body,
        margin: margin ?? defaultMargin(body.kind, body.level),
        expires_at: expires_at === null ? null : new Date(expires_at),
        ...measureColumns(body.kind, window),
      }
      // By the widgets: rules have no index by their owners.
      const board = tx.select({ id: widgets.id }).from(widgets).where(eq(widgets.owner_id, owner.id))
      const ofBoard = await readRules(
        tx,
        and(eq(alert_rules.owner_id, owner.id), inArray(alert_rules.widget_id, board)),
      )
      const ofWidget = ofBoard.filter((one) => one.widget_id === widget_id)
      refuseSame(ofWidget, row)
      const noRoom = noRoomForRule({ ofBoard: ofBoard.length, ofWidget: ofWidget.length }, owner.hasPremium)
      if (noRoom !== null) throw new ApiError('RULE_LIMIT_REACHED', noRoom)
      const memory = {
        armed: true,
        ended: false,
        epoch: 0,
        dueAt: null,
        anchor: await anchorOf(tx, owner, body.kind, widget_id),
      }
      const [made] = await tx
        .insert(alert_rules)
        .values({
          ...row,
          ...memoryColumns(termsOf(row), memory),
          id: randomUUID(),
          widget_id,
          owner_id: owner.id,
          pair_id: widget.pair_id,
          watched: widget.is_active,
          created_by_op: request.op,
          created_at: new Date(request.now),
        })
        .returning()
      await widenBounds(tx, [made as StoredRule])
      return ruleAnswer(made as StoredRule)
    },
  })
}

type Same = Pick<StoredRule, 'kind' | 'level' | 'rule_window'>

function refuseSame(others: readonly StoredRule[], { kind, level, rule_window }: Same): void {
  const same = others.find((one) => one.kind === kind && one.level === level && one.rule_window === rule_window)
  if (same === undefined) return
  throw new ApiError('RULE_EXISTS', 'The pair has this alert already.', { rule: ruleAnswer(same) })
}

/** The anchor of a rule that is armed now; null: its first measure, or nothing. */
async function anchorOf(tx: Queryable, owner: Owner, kind: RuleKind, widget: string): Promise<number | null> {
  const { anchor, sign } = factsOf(kind)
  if (anchor !== 'checkpoint') return null
  const [row] = await tx
    .select({ ratio: checkpoints.ratio })
    .from(checkpoints)
    .where(and(eq(checkpoints.owner_id, owner.id), eq(checkpoints.widget_id, widget), checkpoints.is_default))
  return row === undefined ? null : sign * row.ratio
}

async function recallRule(tx: Queryable, owner: Owner, op: OpId): Promise<Rule> {
  const [row] = await readRules(tx, and(eq(alert_rules.owner_id, owner.id), eq(alert_rules.created_by_op, op)))
  if (row === undefined) throw new ApiError('NOT_FOUND', 'The alert has been removed.')
  return ruleAnswer(row)
}

interface OfRule {
  readonly id: string
  readonly rule_id: string
}

const which = (owner: Owner, { id, rule_id }: OfRule) =>
  and(isRule, eq(alert_rules.owner_id, owner.id), eq(alert_rules.widget_id, id), eq(alert_rules.id, rule_id))

/**
 * Changes what the body names and leaves the rest. The value is null when a repetition finds the rule gone.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, RULE_EXISTS, IDEMPOTENCY_KEY_REUSED
 */
export function updateRule(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  params: OfRule,
  body: UpdateRuleBody,
): Promise<Changed<Rule | null>> {
  return changeOnce<Rule | null>(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: async (tx, owner) => {
      const [row] = await readRules(tx, which(owner, params))
      return row === undefined ? null : ruleAnswer(row)
    },
    make: async (tx, owner) => {
      // Locked: a price update judges it without a lock on the owner.
      const [before] = (await tx.select().from(alert_rules).where(which(owner, params)).for('update')) as StoredRule[]
      if (before === undefined) throw noSuchRule()
      const { armed, expires_at, window = windowOf(before.rule_window), ...given } = body
      const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      const after: StoredRule = {
        ...before,
        ...named,
        ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
        ...measureColumns(before.kind, window),
      }
      const problem = ruleProblem(after.kind, { level: after.level, window, margin: after.margin })
      if (problem !== null) throw new ApiError('VALIDATION_ERROR', problem)
      const ofWidget = and(eq(alert_rules.owner_id, owner.id), eq(alert_rules.widget_id, params.id))
      const others = await readRules(tx, ofWidget)
      refuseSame(
        others.filter(({ id }) => id !== before.id),
        after,
      )
      const anew = await anchorOf(tx, owner, after.kind, params.id)
      const changes = { ...after, ...memoryColumns(termsOf(after), nextMemory(before, after, armed, anew)) }
      const [row] = await tx.update(alert_rules).set(changes).where(which(owner, params)).returning()
      await widenBounds(tx, [row as StoredRule])
      return ruleAnswer(row as StoredRule)
    },
  })
}

/** A rule whose terms change begins to wait anew; one that is armed again begins a new epoch. */
function nextMemory(
  before: StoredRule,
  after: StoredRule,
  armed: boolean | undefined,
  anew: number | null,
): RuleMemory {
  const memory = memoryOf(before)
  if (armed === true && !memory.armed) {
    return { armed: true, ended: false, epoch: memory.epoch + 1, dueAt: null, anchor: anew }
  }
  // Disarmed by its owner it stays so, as does one that has fired and is to fire once.
  if (armed === false) return { ...memory, armed: false, ended: true, dueAt: null }
  const isSame = (['level', 'margin', 'hold_minutes', 'measure'] as const).every((name) => before[name] === after[name])
  return {
    ...memory,
    dueAt: isSame ? memory.dueAt : null,
    ended: memory.ended || (!memory.armed && after.repeat === 'once'),
  }
}

/** @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED */
export function deleteRule(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  params: OfRule,
): Promise<Changed<void>> {
  return changeOnce<void>(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: async () => undefined,
    make: async (tx, owner) => {
      const removed = await tx.delete(alert_rules).where(which(owner, params)).returning({ id: alert_rules.id })
      if (removed.length === 0) throw noSuchRule()
    },
  })
}

const noSuchRule = (): ApiError => new ApiError('NOT_FOUND', 'The widget has no such alert.')
