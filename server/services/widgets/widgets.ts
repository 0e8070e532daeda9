import { and, asc, eq, type SQL } from 'drizzle-orm'
import type * as z from 'zod'
import type {
  createWidgetBody,
  ReorderWidgetsBody,
  SnoozeBody,
  UpdateWidgetBody,
  Widget,
} from '../../../src/contract/widget'
import { ALERT_SIDES, nextEpochs } from '../../../src/domain/alerts'
import type { CheckpointId, CoinId, OpId, WidgetId } from '../../../src/domain/ids'
import { isActiveAt, reorder } from '../../../src/domain/layout-order'
import { checkRoomForPair } from '../../../src/domain/new-pair'
import { pairLabel } from '../../../src/domain/pair'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { checkpoints, pairs, widgets } from '../../db/schema/widgets'
import { findOwner, limitsOf, type Owner } from '../owners'
import { ruleOfJson, type RulesOfWidget, rulesOfWidget } from '../rules/stored-rule'
import type { Market } from '../market/market'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import type { ServiceDeps } from '../service-deps'
import { arrange, holdLayout } from './arrange'
import type { Checkpoint } from '../../../src/contract/checkpoint'
import { snoozeAnswer, snoozeColumns } from './snooze'

/**
 * Adds a widget at the end of the caller's layout.
 * @throws ApiError SAME_COIN, PAIR_EXISTS (with the widget that is there), UNKNOWN_COIN, WIDGET_LIMIT_REACHED,
 *   IDEMPOTENCY_KEY_REUSED; NOT_FOUND when the key's widget has been removed since
 */
export async function createWidget(
  { database, env, market }: Pick<ServiceDeps, 'database' | 'env'> & { readonly market: Pick<Market, 'knows'> },
  request: ChangeRequest,
  body: z.output<typeof createWidgetBody>,
): Promise<Changed<Widget>> {
  const { coin_a_id, coin_b_id } = body
  // Asked before the transaction, which must not wait for a provider; judged in it, since a repetition needs no market.
  const [known] = await Promise.allSettled([unknownCoin(market, [coin_a_id, coin_b_id])])

  return changeOnce(database, request, {
    forEver: true,
    raises: 'widgets',
    recall: async (tx, owner, op) => {
      const widget = await readWidget(tx, owner, { op })
      if (widget === undefined) throw new ApiError('NOT_FOUND', 'The widget has been removed.')
      return widget
    },
    make: async (tx, owner) => {
      if (coin_a_id === coin_b_id) {
        throw new ApiError('SAME_COIN', 'Base and Quote cryptocurrencies cannot be the same.')
      }
      const present = await tx.select().from(widgets).where(eq(widgets.owner_id, owner.id))
      const same = present.find((row) => row.coin_a_id === coin_a_id && row.coin_b_id === coin_b_id)
      if (same !== undefined) {
        const widget = await readWidget(tx, owner, { id: same.id })
        throw new ApiError('PAIR_EXISTS', `The exact pair ${pairLabel(coin_a_id, coin_b_id)} already exists.`, {
          widget,
        })
      }
      if (known.status === 'rejected') throw known.reason
      if (known.value !== null) throw new ApiError('UNKNOWN_COIN', `The coin ${known.value} is not known.`)
      const limits = limitsOf(owner, env)
      const noRoom = checkRoomForPair(present.length, limits)
      if (noRoom !== null) throw new ApiError('WIDGET_LIMIT_REACHED', noRoom)

      const [row] = await tx
        .insert(widgets)
        .values({
          ...body,
          owner_id: owner.id,
          pair_id: await pairIdOf(tx, coin_a_id, coin_b_id),
          display_order: present.length,
          is_active: isActiveAt(present.length, limits.max_widgets),
          created_by_op: request.op,
          created_at: new Date(request.now),
        })
        .returning()
      if (row === undefined) throw new Error('The widget was not inserted')
      return widgetAnswer(row, owner, [], [])
    },
  })
}

async function unknownCoin(market: Pick<Market, 'knows'>, coins: readonly CoinId[]): Promise<CoinId | null> {
  const known = await Promise.all(coins.map((coin) => market.knows(coin)))
  return coins.find((_, index) => known[index] !== true) ?? null
}

/**
 * Changes what the body names and leaves the rest. The value is null when a repetition finds the widget gone.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function updateStoredWidget(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  id: string,
  body: UpdateWidgetBody,
): Promise<Changed<Widget | null>> {
  return changeOnce<Widget | null>(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: async (tx, owner) => (await readWidget(tx, owner, { id })) ?? null,
    make: async (tx, owner) => {
      const mine = and(eq(widgets.owner_id, owner.id), eq(widgets.id, id))
      // Locked, because a crossing disarms the widget without a lock on the owner (decision 0049). Its checkpoints are the owner's alone.
      const held = await tx
        .select({ row: widgets, checkpoint: checkpoints })
        .from(widgets)
        .leftJoin(checkpoints, isOfWidget)
        .where(mine)
        .orderBy(asc(checkpoints.display_order))
        .for('update', { of: widgets })
        .prepare('hold_widget')
        .execute()
      const row = held[0]?.row
      if (row === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      const { snoozed_until, snoozed_until_back, ...settings } = body
      const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
      const judged = { ...given, ...nextEpochs(row, settings), ...dueAnew(row, settings) }
      const snooze = await snoozeColumns(tx, { ...row, ...judged }, { snoozed_until, snoozed_until_back })
      const changes = { ...judged, ...snooze }
      if (Object.keys(changes).length === 0) return (await readWidget(tx, owner, { id })) ?? null
      // A price update that held the widget may have changed the rules as well: they are read after the lock.
      const [updated] = await tx.update(widgets).set(changes).where(mine).returning({ rules: rulesOfWidget })
      const widget = { ...row, ...changes }
      const rows = held.map(({ checkpoint }) => ({ widget, checkpoint, rules: updated?.rules ?? null }))
      return widgetAnswers(rows, owner)[0] ?? null
    },
  })
}

/** A side that waits beyond its threshold begins to wait anew where something that it is judged by changes. */
function dueAnew(
  row: StoredWidget,
  body: Omit<UpdateWidgetBody, keyof SnoozeBody>,
): Partial<Pick<StoredWidget, 'high_due_at' | 'low_due_at'>> {
  const hasChanged = (name: keyof typeof body) => body[name] !== undefined && body[name] !== row[name]
  const ofBoth = (['alert_margin', 'alert_hold_minutes', 'notifications_enabled'] as const).some(hasChanged)
  const sides = ALERT_SIDES.filter(
    (side) => ofBoth || hasChanged(`${side}_threshold`) || hasChanged(`${side}_threshold_active`),
  )
  return Object.fromEntries(sides.map((side) => [`${side}_due_at`, null]))
}

/**
 * Removes a widget with its checkpoints; the others close up, and the next inactive one becomes active.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function removeStoredWidget(
  { database, env }: Pick<ServiceDeps, 'database' | 'env'>,
  request: ChangeRequest,
  id: string,
): Promise<Changed<void>> {
  return changeOnce<void>(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: async () => undefined,
    make: async (tx, owner) => {
      const present = await holdLayout(tx, owner.id)
      const left = present.filter((widget) => widget.id !== id)
      if (left.length === present.length) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      await tx.delete(widgets).where(and(eq(widgets.owner_id, owner.id), eq(widgets.id, id)))
      const ids = left.map((widget) => widget.id)
      await arrange(tx, owner.id, ids, limitsOf(owner, env).max_widgets)
    },
  })
}

/**
 * Puts the caller's widgets into the given order, within the active and within the inactive ones, or across both.
 * @throws ApiError FORBIDDEN_REORDER_MIX, IDEMPOTENCY_KEY_REUSED
 */
export async function reorderStoredWidgets(
  { database, env }: Pick<ServiceDeps, 'database' | 'env'>,
  request: ChangeRequest,
  { ordered_ids, exchange }: ReorderWidgetsBody,
): Promise<Changed<Widget[]>> {
  // A guest who is not stored has nothing to put in order, and is not stored for asking.
  const isKnown = request.caller.kind === 'user' || (await findOwner(database.orm, request.caller)) !== undefined
  if (!isKnown) return { value: [], replayed: false }
  return changeOnce(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: (tx, owner) => readStoredWidgets(tx, owner),
    make: async (tx, owner) => {
      const present = await holdLayout(tx, owner.id)
      const reordered = reorder(present, ordered_ids, exchange)
      if (!reordered.ok) {
        throw new ApiError('FORBIDDEN_REORDER_MIX', 'An active widget cannot stand behind an inactive one.')
      }
      await arrange(tx, owner.id, reordered.ids, limitsOf(owner, env).max_widgets)
      return readStoredWidgets(tx, owner)
    },
  })
}

/** Tries to hold a pair that is removed in the same moment; none is removed so often. */
const TRIES = 5

/** The number of a pair, made at its first widget. The row is held: no job removes it before the widget is there. */
async function pairIdOf(tx: Queryable, coinA: CoinId, coinB: CoinId): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const there = await holdPair(tx, coinA, coinB)
    if (there !== undefined) return there
    // A transaction that gives the pair a number at the same moment is waited for here.
    await tx.insert(pairs).values({ coin_a_id: coinA, coin_b_id: coinB }).onConflictDoNothing()
  }
  throw new Error('The pair vanished within a transaction')
}

async function holdPair(tx: Queryable, coinA: CoinId, coinB: CoinId): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: pairs.id })
    .from(pairs)
    .where(and(eq(pairs.coin_a_id, coinA), eq(pairs.coin_b_id, coinB)))
    .for('key share')
  return row?.id
}

/** Joins checkpoints to their widget; the owner stands in both, so that a database sharded by owner need not look elsewhere. */
export const isOfWidget = and(eq(checkpoints.widget_id, widgets.id), eq(checkpoints.owner_id, widgets.owner_id))

type StoredWidget = typeof widgets.$inferSelect
export type StoredCheckpoint = typeof checkpoints.$inferSelect

/** An owner's widgets by display order, each with its checkpoints. */
export const readStoredWidgets = (db: Queryable, owner: Owner): Promise<Widget[]> =>
  read(db, owner, 'owned_widgets', undefined)

/** One of the owner's widgets, by its id or by the create's key; undefined when it is not there. */
export async function readWidget(
  db: Queryable,
  owner: Owner,
  which: { readonly id: string } | { readonly op: OpId },
): Promise<Widget | undefined> {
  const [found] = await ('id' in which
    ? read(db, owner, 'widget_by_id', eq(widgets.id, which.id))
    : read(db, owner, 'widget_by_op', eq(widgets.created_by_op, which.op)))
  return found
}

/** One statement: two would see two moments, and a widget removed between them would come without checkpoints. */
async function read(db: Queryable, owner: Owner, name: string, which: SQL | undefined): Promise<Widget[]> {
  const rows = await db
    .select({ widget: widgets, checkpoint: checkpoints, rules: rulesOfWidget })
    .from(widgets)
    .leftJoin(checkpoints, isOfWidget)
    .where(and(eq(widgets.owner_id, owner.id), which))
    .orderBy(asc(widgets.display_order), asc(checkpoints.display_order))
    .prepare(name)
    .execute()
  return widgetAnswers(rows, owner)
}

/** Rows without the columns that no answer has. */
export type AnsweredWidget = Omit<StoredWidget, 'owner_id' | 'pair_id' | 'high_due_at' | 'low_due_at'>
export type AnsweredCheckpoint = Omit<StoredCheckpoint, 'owner_id'>

interface JoinedRow {
  readonly widget: AnsweredWidget
  readonly rules: RulesOfWidget | null
  readonly checkpoint: AnsweredCheckpoint | null
}

/** Widgets of joined rows, which stand by the widgets' order and then by the checkpoints'. */
export function widgetAnswers(rows: readonly JoinedRow[], owner: Pick<Owner, 'id' | 'kind'>): Widget[] {
  const found = new Map<string, RowsOfWidget>()
  for (const { widget, checkpoint, rules } of rows) {
    const one = found.get(widget.id) ?? { row: widget, saved: [], rules }
    found.set(widget.id, one)
    if (checkpoint !== null) one.saved.push(checkpoint)
  }
  return [...found.values()].map(({ row, saved, rules }) => widgetAnswer(row, owner, saved, rules))
}

interface RowsOfWidget {
  readonly row: AnsweredWidget
  readonly saved: AnsweredCheckpoint[]
  readonly rules: RulesOfWidget | null
}

/** @throws ApiError NOT_FOUND where the owner has no such widget */
export async function requireWidget(db: Queryable, owner: Owner, id: string): Promise<void> {
  const [row] = await db
    .select({ id: widgets.id })
    .from(widgets)
    .where(and(eq(widgets.owner_id, owner.id), eq(widgets.id, id)))
  if (row === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget.')
}

const widgetAnswer = (
  row: AnsweredWidget,
  owner: Pick<Owner, 'id' | 'kind'>,
  saved: readonly AnsweredCheckpoint[],
  rules: RulesOfWidget | null,
): Widget => ({
  id: row.id as WidgetId,
  display_order: row.display_order,
  coin_a_id: row.coin_a_id as CoinId,
  coin_b_id: row.coin_b_id as CoinId,
  high_threshold: row.high_threshold,
  low_threshold: row.low_threshold,
  notifications_enabled: row.notifications_enabled,
  high_threshold_active: row.high_threshold_active,
  low_threshold_active: row.low_threshold_active,
  high_epoch: row.high_epoch,
  low_epoch: row.low_epoch,
  alert_margin: row.alert_margin,
  alert_hold_minutes: row.alert_hold_minutes,
  ...snoozeAnswer(row, rules ?? []),
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
  created_by_op: row.created_by_op as OpId | null,
  checkpoints: saved.map((one) => checkpointAnswer(one, owner)),
  rules: (rules ?? []).map(ruleOfJson),
})

export const checkpointAnswer = (row: AnsweredCheckpoint, owner: Pick<Owner, 'id' | 'kind'>): Checkpoint => ({
  id: row.id as CheckpointId,
  widget_id: row.widget_id as WidgetId,
  ratio: row.ratio,
  ...(row.price_a !== null && row.price_b !== null && { prices: { a: row.price_a, b: row.price_b } }),
  timestamp: row.timestamp.toISOString(),
  is_default: row.is_default,
  display_order: row.display_order,
  created_at: row.created_at.toISOString(),
  user_id: owner.kind === 'user' ? owner.id : null,
  created_by_op: row.created_by_op as OpId | null,
})
