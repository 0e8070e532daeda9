import { eq } from 'drizzle-orm'
import { ApiError } from '../api-error'
import type { Database, Queryable } from '../db/open'
import { owners } from '../db/schema/owners'
import { users } from '../db/schema/users'
import type { Caller } from '../plugins/identity'

/** Whose things they are, as known within one request. */
export interface Owner {
  readonly id: string
  readonly kind: Caller['kind']
  readonly hasPremium: boolean
}

/**
 * The caller's row, or undefined while a guest has never changed anything.
 * @throws ApiError INVALID_TOKEN when the user's account is gone
 */
export function findOwner(db: Queryable, caller: Caller): Promise<Owner | undefined> {
  return caller.kind === 'guest' ? findGuest(db, caller.anonymousHash) : findUser(db, caller.userId)
}

/**
 * Runs `change` in a transaction that holds the caller's row, a guest's made at need. So one owner's changes happen one
 * after the other, and what one of them counted, or was allowed, is still true when it writes.
 * @throws ApiError INVALID_TOKEN when the user's account is gone
 */
export function inOwnersTurn<T>(
  database: Database,
  caller: Caller,
  now: number,
  change: (tx: Queryable, owner: Owner) => Promise<T>,
): Promise<T> {
  return database.orm.transaction(async (tx) => {
    const owner = caller.kind === 'guest' ? await holdGuest(tx, caller.anonymousHash, now) : await findUser(tx, caller.userId, 'held') // prettier-ignore
    return change(tx, owner)
  })
}

async function findGuest(db: Queryable, hash: string, held?: 'held'): Promise<Owner | undefined> {
  const query = db.select({ id: owners.id }).from(owners).where(eq(owners.anonymous_hash, hash))
  const [row] = await (held ? query.for('update') : query)
  return row && { id: row.id, kind: 'guest', hasPremium: false }
}

async function holdGuest(tx: Queryable, hash: string, now: number): Promise<Owner> {
  const there = await findGuest(tx, hash, 'held')
  if (there !== undefined) return there
  await tx
    .insert(owners)
    .values({ kind: 'guest', anonymous_hash: hash, created_at: new Date(now) })
    .onConflictDoNothing()
  const made = await findGuest(tx, hash, 'held')
  if (made === undefined) throw new Error('The owner vanished within a transaction')
  return made
}

async function findUser(db: Queryable, id: string, held?: 'held'): Promise<Owner> {
  const query = db
    .select({ id: owners.id, hasPremium: users.has_premium_access })
    .from(owners)
    .innerJoin(users, eq(users.id, owners.id))
    .where(eq(owners.id, id))
  // Both rows are locked: whoever had to wait for the owner then reads the tier as it is, not as it was.
  const [row] = await (held ? query.for('update') : query)
  if (row === undefined) throw new ApiError('INVALID_TOKEN', 'The account of this access token does not exist.')
  return { ...row, kind: 'user' }
}
