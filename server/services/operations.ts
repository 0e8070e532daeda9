import { createHash } from 'node:crypto'
import { and, asc, count, desc, eq, gt, lt, notExists, sql } from 'drizzle-orm'
import type { OpId } from '../../src/domain/ids'
import { ApiError } from '../http/api-error'
import type { Database, Queryable } from '../db/open'
import { removeInBatches } from '../db/remove-in-batches'
import { alert_rules, checkpoints, operations, widgets } from '../db/schema/widgets'
import { type Caller, commitUnderOwnerLock, type Owner } from './owners'
import { MAX_OF_ONE_OWNER } from './kept-for'
import type { ChangeTx, RevisedPart } from './revisions'

/** One change that a caller asks for. */
export interface ChangeRequest {
  readonly caller: Caller
  /** The Idempotency-Key; without one, a repetition is a change of its own. */
  readonly op: OpId | null
  /**
   * Call, parameters and body as the client wrote them: the same key with something else here is refused. A deployment
   * that gives a field a new default changes nothing of it.
   */
  readonly asked: readonly unknown[]
  /** The same with the body as this version understands it, which keys of earlier versions were stored with. */
  readonly parsed: readonly unknown[]
  readonly now: number
}

interface Steps<T> {
  /** A create's key is kept for ever, since a client may ask again however late. */
  readonly forEver: boolean
  /** Part of the owner's data whose revision the change raises; a repetition raises none. */
  readonly raises: RevisedPart | 'nothing'
  readonly make: (tx: ChangeTx, owner: Owner) => Promise<T>
  /** The present state of what an earlier request with the same key made or changed. */
  readonly recall: (tx: Queryable, owner: Owner, op: OpId) => Promise<T>
}

/** Outcome of a change. */
export interface Changed<T> {
  readonly value: T
  readonly replayed: boolean
  /** Revision of the caller's widgets before and after; absent: the change has left it. */
  readonly revision?: { readonly before: number; readonly after: number }
}

/**
 * Makes a change once for each Idempotency-Key. The key is stored in the transaction of the change, and the owner's row
 * is held meanwhile: a second request with the same key waits, and then finds the key.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED
 */
export async function changeOnce<T>(
  database: Database,
  { caller, op, asked, parsed, now }: ChangeRequest,
  { forEver, raises, make, recall }: Steps<T>,
): Promise<Changed<T>> {
  const request_hash = hashOf(asked)
  const { value, raised } = await commitUnderOwnerLock(database, caller, now, async (tx, owner) => {
    const change = async () => {
      if (raises !== 'nothing') tx.raise(owner.id, raises)
      return { value: await make(tx, owner), replayed: false }
    }
    if (op === null) return change()
    // Nearly every key is new: stored first, it needs no look beforehand, and goes with the transaction if the change fails.
    const row = { owner_id: owner.id, op_id: op, request_hash, for_ever: forEver, created_at: new Date(now) }
    const [kept] = await tx
      .insert(operations)
      .values(row)
      .onConflictDoUpdate({ target: [operations.owner_id, operations.op_id], set: { op_id: op } })
      // A row that was there already is updated, which leaves the transaction's number in it.
      .returning({ hash: operations.request_hash, isNew: sql<boolean>`xmax = 0` })
      .prepare('add_operation')
      .execute()
    if (kept === undefined) throw new Error('The key of a change was neither stored nor there')
    if (kept.isNew) return change()
    if (kept.hash !== request_hash && kept.hash !== hashOf(parsed)) {
      throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request.')
    }
    return { value: await recall(tx, owner, op), replayed: true }
  })
  const [widgets] = raised.filter(({ part }) => part === 'widgets')
  return { ...value, ...(widgets !== undefined && { revision: widgets }) }
}

const hashOf = (asked: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify(asked.map(canonical)))
    .digest('base64url')

/** The order in which a client writes the members of an object means nothing. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([key, member]) => [key, canonical(member)])
}

/**
 * Removes keys of creates beyond the newest `most` of each owner, and of other changes. The key of what is still there stays,
 * however old: a create that comes again after its key has gone can only bring back what was removed (decision 0119).
 */
export async function removeSurplusKeys(
  { orm }: Database,
  most: number = MAX_OF_ONE_OWNER.operations,
  signal?: AbortSignal,
): Promise<void> {
  let owner = await ownerOfMany(orm, most, null)
  while (owner !== null) {
    if (signal?.aborted === true) return
    await removeSurplusOf(orm, owner, most, signal)
    owner = await ownerOfMany(orm, most, owner)
  }
}

/**
 * The next owner who may have more than so many keys, by the order of ids. Of so many keys in their order whoever has more has
 * the last: one statement looks at no more of them, however many there are.
 */
async function ownerOfMany(db: Queryable, most: number, after: string | null): Promise<string | null> {
  const { owner_id, op_id } = operations
  const later = db
    .select({ owner: owner_id })
    .from(operations)
    .where(after === null ? undefined : gt(owner_id, after))
  const [row] = await later
    .orderBy(asc(owner_id), asc(op_id))
    .offset(most - 1)
    .limit(1)
  return row?.owner ?? null
}

async function removeSurplusOf(
  orm: Queryable,
  owner: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { owner_id, op_id, created_at, for_ever } = operations
  const surplus = await orm
    .select({ for_ever })
    .from(operations)
    .where(eq(owner_id, owner))
    .groupBy(for_ever)
    .having(gt(count(), most))
  for (const one of surplus) {
    if (signal?.aborted === true) return
    const theirs = and(eq(owner_id, owner), eq(for_ever, one.for_ever))
    const newest = orm.select({ at: created_at }).from(operations).where(theirs).orderBy(desc(created_at))
    const [oldestKept] = await newest.offset(most - 1).limit(1)
    if (oldestKept === undefined) continue
    const made = (table: typeof widgets | typeof checkpoints | typeof alert_rules) =>
      orm
        .select({ one: sql`1` })
        .from(table)
        .where(and(eq(table.owner_id, owner_id), eq(table.created_by_op, op_id)))
    const gone = and(notExists(made(widgets)), notExists(made(checkpoints)), notExists(made(alert_rules)))
    await removeInBatches(orm, operations, and(theirs, lt(created_at, oldestKept.at), gone), { signal })
  }
}
