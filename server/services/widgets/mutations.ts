import { and, asc, eq, gt, inArray, notExists } from 'drizzle-orm'
import type * as z from 'zod'
import type { createWidgetBody, ReorderWidgetsBody, UpdateWidgetBody, Widget } from '../../../src/contract/widget'
import { nextEpochs } from '../../../src/domain/alerts'
import type { CoinId } from '../../../src/domain/ids'
import { isActiveAt, reorder } from '../../../src/domain/layout-order'
import { checkRoomForPair, pairLabel } from '../../../src/domain/pair'
import { ApiError } from '../../http/api-error'
import type { Database, Queryable } from '../../db/open'
import { pairs, widgets } from '../../db/schema/widgets'
import { limitsOf } from '../owners'
import type { Market } from '../market/market'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import type { ServiceDeps } from '../service-deps'
import { arrange, holdLayout } from './arrange'
import { readStoredWidgets, readWidget, widgetAnswer } from './read'

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
      return widgetAnswer(row, owner, [])
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
      // Locked, because a crossing disarms the widget without a lock on the owner (decision 0049).
      const [row] = await tx.select().from(widgets).where(mine).for('update').prepare('hold_widget').execute()
      if (row === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
      const changes = { ...given, ...nextEpochs(row, body) }
      if (Object.keys(changes).length > 0) await tx.update(widgets).set(changes).where(mine)
      return (await readWidget(tx, owner, { id })) ?? null
    },
  })
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
      await tx.delete(widgets).where(eq(widgets.id, id))
      const ids = left.map((widget) => widget.id)
      await arrange(tx, ids, limitsOf(owner, env).max_widgets)
    },
  })
}

/**
 * Puts the caller's widgets into the given order, within the active and within the inactive ones, or across both.
 * @throws ApiError FORBIDDEN_REORDER_MIX, IDEMPOTENCY_KEY_REUSED
 */
export function reorderStoredWidgets(
  { database, env }: Pick<ServiceDeps, 'database' | 'env'>,
  request: ChangeRequest,
  { ordered_ids, exchange }: ReorderWidgetsBody,
): Promise<Changed<Widget[]>> {
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
      await arrange(tx, reordered.ids, limitsOf(owner, env).max_widgets)
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

/** Pairs looked at in one transaction. */
const PAIR_BATCH = 1_000

/**
 * Removes the pairs that no widget stands for. The rows are held first and looked at once more then: a widget that comes
 * meanwhile waits for them, or has come and keeps its pair.
 * @returns how many were removed
 */
export async function removeUnusedPairs({ orm }: Database, signal: AbortSignal, batch = PAIR_BATCH): Promise<number> {
  const isUnused = notExists(orm.select({ pair: widgets.pair_id }).from(widgets).where(eq(widgets.pair_id, pairs.id)))
  let removed = 0
  for (let after: number | null = 0; after !== null && !signal.aborted;) {
    const from: number = after
    after = await orm.transaction(async (tx) => {
      const some = tx
        .select({ id: pairs.id })
        .from(pairs)
        .where(and(gt(pairs.id, from), isUnused))
      const rows = await some.orderBy(asc(pairs.id)).limit(batch).for('update', { skipLocked: true })
      const ids = rows.map(({ id }) => id)
      const { rowCount } = await tx.delete(pairs).where(and(inArray(pairs.id, ids), isUnused))
      removed += rowCount ?? 0
      return ids.at(-1) ?? null
    })
  }
  return removed
}
