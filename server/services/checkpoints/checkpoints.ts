import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Checkpoint, createCheckpointBody, UpdateCheckpointBody } from '../../../src/contract/checkpoint'
import { checkRoomForCheckpoint, withCheckpoint } from '../../../src/domain/checkpoint-list'
import type { OpId } from '../../../src/domain/ids'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { checkpoints } from '../../db/schema/widgets'
import { limitsOf, type Owner } from '../owners'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import type { ServiceDeps } from '../service-deps'
import { checkpointAnswer, readWidget, requireWidget, type StoredCheckpoint } from '../widgets/widgets'

/** The checkpoints of an owner's widget by display order. */
const readList = (db: Queryable, owner: Owner, widget: string): Promise<StoredCheckpoint[]> =>
  db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.owner_id, owner.id), eq(checkpoints.widget_id, widget)))
    .orderBy(asc(checkpoints.display_order))

/** Makes of the list `before`, which is what is stored, the list `after`: rows, places and the default flag. */
async function writeList(
  tx: Queryable,
  owner: Owner,
  before: readonly StoredCheckpoint[],
  after: readonly StoredCheckpoint[],
): Promise<void> {
  const wanted = new Map(after.map((row) => [row.id, row]))
  const stored = new Map(before.map((row) => [row.id, row]))
  const removed = before.filter(({ id }) => !wanted.has(id))
  // At no moment may two of a widget be the default, so the flag is taken before it is given.
  const dethroned = before.filter(({ id, is_default }) => is_default && wanted.get(id)?.is_default === false)
  const placed = after.filter((row) => stored.has(row.id) && stored.get(row.id) !== row)
  const added = after.filter(({ id }) => !stored.has(id))

  const those = (rows: readonly StoredCheckpoint[]) =>
    and(eq(checkpoints.owner_id, owner.id), inArray(checkpoints.id, idsOf(rows)))
  if (removed.length > 0) await tx.delete(checkpoints).where(those(removed))
  if (dethroned.length > 0) await tx.update(checkpoints).set({ is_default: false }).where(those(dethroned))
  if (placed.length > 0) await place(tx, owner, placed)
  if (added.length > 0) await tx.insert(checkpoints).values(added)
}

const idsOf = (rows: readonly StoredCheckpoint[]): string[] => rows.map(({ id }) => id)

async function place(tx: Queryable, owner: Owner, rows: readonly StoredCheckpoint[]): Promise<void> {
  const orders = rows.map(({ display_order }) => display_order)
  const defaults = rows.map(({ is_default }) => is_default)
  await tx.execute(sql`
    UPDATE ${checkpoints} SET display_order = wanted.display_order, is_default = wanted.is_default
    FROM unnest(${sql.param(idsOf(rows))}::uuid[], ${sql.param(orders)}::integer[], ${sql.param(defaults)}::boolean[])
      AS wanted (id, display_order, is_default)
    WHERE ${checkpoints.id} = wanted.id AND ${checkpoints.owner_id} = ${owner.id}`)
}

type Body = z.output<typeof createCheckpointBody>

/** The columns of what a checkpoint holds. Prices that are not sent are not known, those of an earlier ratio least of all. */
const savedIn = ({ ratio, prices, timestamp }: UpdateCheckpointBody) => ({
  ratio,
  price_a: prices?.a ?? null,
  price_b: prices?.b ?? null,
  timestamp: new Date(timestamp),
})

/** Makes a checkpoint, and of the list `before` what `listWith` says. */
function addCheckpoint(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  widget: string,
  { is_default, ...body }: Body,
  listWith: (before: StoredCheckpoint[], made: StoredCheckpoint, owner: Owner) => StoredCheckpoint[],
): Promise<Changed<Checkpoint>> {
  return changeOnce(database, request, {
    forEver: true,
    raises: 'widgets',
    recall: recallCheckpoint,
    make: async (tx, owner) => {
      await requireWidget(tx, owner, widget)
      const before = await readList(tx, owner, widget)
      const made = {
        id: randomUUID(),
        widget_id: widget,
        owner_id: owner.id,
        ...savedIn(body),
        is_default,
        display_order: before.length,
        created_by_op: request.op,
        created_at: new Date(request.now),
      }
      const after = listWith(before, made, owner)
      await writeList(tx, owner, before, after)
      return checkpointAnswer(after.at(-1)!, owner)
    },
  })
}

/**
 * Adds a checkpoint at the end of a widget's list. A default one takes the flag from the others.
 * @throws ApiError NOT_FOUND (no such widget, or the key's checkpoint is gone), CHECKPOINT_LIMIT_REACHED,
 *   IDEMPOTENCY_KEY_REUSED
 */
export const createCheckpoint = (
  deps: Pick<ServiceDeps, 'database' | 'env'>,
  request: ChangeRequest,
  widget: string,
  body: Body,
) =>
  addCheckpoint(deps, request, widget, body, (before, made, owner) => {
    const noRoom = checkRoomForCheckpoint(before.length, limitsOf(owner, deps.env))
    if (noRoom !== null) throw new ApiError('CHECKPOINT_LIMIT_REACHED', noRoom)
    return withCheckpoint(before, made)
  })

/**
 * Saves a guest's only checkpoint of a widget in place of the one there is. Being the only one, it is the default.
 * @throws ApiError NOT_FOUND (no such widget, or the key's checkpoint is gone), IDEMPOTENCY_KEY_REUSED
 */
export const createAnonymousCheckpoint = (
  deps: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  widget: string,
  body: Body,
) => addCheckpoint(deps, request, widget, body, (_before, made) => [{ ...made, is_default: true, display_order: 0 }])

/**
 * The current row that the create with this key has made.
 * @throws ApiError NOT_FOUND when it has been removed since
 */
async function recallCheckpoint(tx: Queryable, owner: Owner, op: OpId): Promise<Checkpoint> {
  const [row] = await tx
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.owner_id, owner.id), eq(checkpoints.created_by_op, op)))
  if (row === undefined) throw new ApiError('NOT_FOUND', 'The checkpoint has been removed.')
  return checkpointAnswer(row, owner)
}

/**
 * Changes the list of a widget's checkpoints. The value is null when a repetition finds the widget gone.
 * @param required the id of a checkpoint that the list must hold
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function changeList(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  widget: string,
  change: (list: StoredCheckpoint[]) => StoredCheckpoint[],
  required?: string,
): Promise<Changed<Checkpoint[] | null>> {
  return changeOnce<Checkpoint[] | null>(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: async (tx, owner) => (await readWidget(tx, owner, { id: widget }))?.checkpoints ?? null,
    make: async (tx, owner) => {
      await requireWidget(tx, owner, widget)
      const before = await readList(tx, owner, widget)
      if (required !== undefined && !before.some(({ id }) => id === required)) throw noSuchCheckpoint()
      const after = change(before)
      await writeList(tx, owner, before, after)
      return after.map((row) => checkpointAnswer(row, owner))
    },
  })
}

/**
 * Removes a guest's only checkpoint of a widget.
 * @throws ApiError NOT_FOUND (no such widget, or no checkpoint), IDEMPOTENCY_KEY_REUSED
 */
export async function deleteAnonymousCheckpoint(
  deps: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  widget: string,
) {
  const { value: _list, ...changed } = await changeList(deps, request, widget, (list) => {
    if (list.length === 0) throw new ApiError('NOT_FOUND', 'The widget has no checkpoint.')
    return []
  })
  return changed
}

const noSuchCheckpoint = (): ApiError => new ApiError('NOT_FOUND', 'The widget has no such checkpoint.')

/**
 * Replaces what a checkpoint holds; its place and its flag stay. The value is null when a repetition finds it gone.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function updateCheckpoint(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  { id: widget, checkpoint_id: id }: { readonly id: string; readonly checkpoint_id: string },
  body: UpdateCheckpointBody,
): Promise<Changed<Checkpoint | null>> {
  const which = (owner: Owner) =>
    and(eq(checkpoints.owner_id, owner.id), eq(checkpoints.widget_id, widget), eq(checkpoints.id, id))
  return changeOnce<Checkpoint | null>(database, request, {
    forEver: false,
    raises: 'widgets',
    recall: async (tx, owner) => {
      const [row] = await tx.select().from(checkpoints).where(which(owner))
      return row === undefined ? null : checkpointAnswer(row, owner)
    },
    make: async (tx, owner) => {
      const [row] = await tx.update(checkpoints).set(savedIn(body)).where(which(owner)).returning()
      if (row === undefined) throw noSuchCheckpoint()
      return checkpointAnswer(row, owner)
    },
  })
}
