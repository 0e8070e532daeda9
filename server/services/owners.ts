import { createHash } from 'node:crypto'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { DAY } from '../../src/domain/granularity'
import { effectiveLimits, type Limits, type TierLimits } from '../../src/domain/tier-limits'
import { ApiError } from '../http/api-error'
import type { Database, Queryable } from '../db/open'
import { sessions } from '../db/schema/sessions'
import { owners, users } from '../db/schema/users'
import type { Env } from '../env'
import { latestOf } from '../waits'
import { countShared } from './address-limits'
import { type ChangeTx, commitChange, type Committed } from './revisions'

/** To whom an access token was given, and by which sign-in. */
export interface Bearer {
  readonly userId: string
  readonly sessionId: string
  /** Hash of the refresh token that was given with it; absent: unknown. */
  readonly refreshHash?: string | undefined
}

/** A guest is known by the hash of the anonymous id alone; the id itself goes nowhere. */
interface GuestCaller {
  readonly kind: 'guest'
  readonly anonymousHash: string
}

/** The caller of a route. */
export type Caller = GuestCaller | (Bearer & { readonly kind: 'user' })

/** @throws ApiError FORBIDDEN for a guest */
export function requireUser(caller: Caller): Bearer {
  if (caller.kind === 'guest') throw new ApiError('FORBIDDEN', 'Only for registered users.')
  return caller
}

/** The owner of pairs, as known within one request. */
export interface Owner {
  readonly id: string
  readonly kind: Caller['kind']
  readonly hasPremium: boolean
  /** The day (UTC, such as `2026-11-22`) on which a guest was last seen; null for users. */
  readonly lastSeen: string | null
}

/** The day (UTC) of a time in milliseconds since 1970. */
export const dayOf = (now: number): string => textOfDay(Math.floor(now / DAY))
const textOfDay = latestOf((day: number) => new Date(day * DAY).toISOString().slice(0, 10))

/**
 * The caller's row, or undefined while a guest has never changed anything.
 * @throws ApiError TOKEN_EXPIRED when the user's session has ended
 */
export function findOwner(db: Queryable, caller: Caller): Promise<Owner | undefined> {
  return caller.kind === 'guest' ? findGuest(db, caller.anonymousHash) : findUser(db, caller)
}

/**
 * Runs `change` in a transaction that holds the caller's row, a guest's made at need. So one owner's changes happen one
 * after the other, and what one of them counted, or was allowed, is still true when it writes. The lock lets references to
 * the owner pass: a crossing is recorded for an owner whose change waits for the same widget (decision 0049).
 * @throws ApiError TOKEN_EXPIRED when the user's session has ended; TooManyAttempts for one new guest too many
 */
export async function withOwnerLock<T>(
  database: Database,
  caller: Caller,
  now: number,
  change: (tx: ChangeTx, owner: Owner) => Promise<T>,
): Promise<T> {
  const { value } = await commitUnderOwnerLock(database, caller, now, change)
  return value
}

/** As `withOwnerLock`, with the revisions that the change has raised. */
export function commitUnderOwnerLock<T>(
  database: Database,
  caller: Caller,
  now: number,
  change: (tx: ChangeTx, owner: Owner) => Promise<T>,
): Promise<Committed<T>> {
  return commitChange(database, now, async (tx) => {
    const owner =
      caller.kind === 'guest' ? await holdGuest(tx, caller.anonymousHash, now) : await findUser(tx, caller, 'held')
    return change(tx, owner)
  })
}

/**
 * Runs `change` under the lock of an account that somebody else changes: an operator, the payment provider. Sessions do not
 * matter then.
 * @returns undefined where there is no such account
 */
export async function withUserLock<T>(
  database: Database,
  user: string,
  now: number,
  change: (tx: ChangeTx) => Promise<T>,
): Promise<T | undefined> {
  const { value } = await commitChange(database, now, async (tx) => {
    const query = tx.select({ id: owners.id }).from(owners).innerJoin(users, eq(users.id, owners.id))
    // Not FOR UPDATE, which a reference to the owner would wait for (decision 0049).
    const [row] = await query.where(eq(owners.id, user)).for('no key update')
    return row && change(tx)
  })
  return value
}

/** True if this guest was last seen on an earlier day than today. A clock that was ahead is not followed back. */
const isSeenEarlier = ({ kind, lastSeen }: Pick<Owner, 'kind' | 'lastSeen'>, now: number): boolean =>
  kind === 'guest' && (lastSeen === null || lastSeen < dayOf(now))

/** Part of a change, whose transaction holds the owner's row. */
async function writeLastSeen(tx: Queryable, owner: Owner, now: number): Promise<void> {
  if (!isSeenEarlier(owner, now)) return
  await tx
    .update(owners)
    .set({ last_seen: dayOf(now) })
    .where(eq(owners.id, owner.id))
}

/**
 * Notes that a guest only looked, once a day. A row that a change holds is left alone: the change notes the day itself,
 * and the reader does not wait for it.
 */
export async function noteSeen(
  db: Queryable,
  owner: Pick<Owner, 'id' | 'kind' | 'lastSeen'>,
  now: number,
): Promise<void> {
  if (!isSeenEarlier(owner, now)) return
  const free = db
    .select({ id: owners.id })
    .from(owners)
    .where(and(eq(owners.id, owner.id), or(isNull(owners.last_seen), lt(owners.last_seen, dayOf(now)))))
    .for('no key update', { skipLocked: true })
  await db
    .update(owners)
    .set({ last_seen: dayOf(now) })
    .where(sql`${owners.id} = ANY(ARRAY(${free}))`)
}

// Statements that every request of an owner repeats have names: a connection has them parsed and planned once (decision 0132).
async function findGuest(db: Queryable, hash: string, held?: 'held'): Promise<Owner | undefined> {
  const query = db
    .select({ id: owners.id, lastSeen: owners.last_seen })
    .from(owners)
    .where(eq(owners.anonymous_hash, hash))
  const named = held ? query.for('no key update').prepare('hold_guest') : query.prepare('find_guest')
  const [row] = await named.execute()
  return row && { ...row, kind: 'guest', hasPremium: false }
}

/**
 * The id of a new guest, a UUID of version 8 made of the hash: so one guest is one row even where no key spans the hashes of
 * all. Guests of earlier releases have another.
 */
function guestIdOf(hash: string): string {
  const hex = createHash('sha256').update(`owner ${hash}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

async function holdGuest(tx: Queryable, hash: string, now: number): Promise<Owner> {
  const there = await findGuest(tx, hash, 'held')
  if (there !== undefined) {
    await writeLastSeen(tx, there, now)
    return there
  }
  const inserted = await tx
    .insert(owners)
    .values({
      id: guestIdOf(hash),
      kind: 'guest',
      anonymous_hash: hash,
      created_at: new Date(now),
      last_seen: dayOf(now),
    })
    .onConflictDoNothing()
    .returning({ id: owners.id })
  // One too many waits in the browser, which keeps the change and sends it again.
  if (inserted.length > 0) await countShared(tx, 'new-guest', now)
  const made = await findGuest(tx, hash, 'held')
  if (made === undefined) throw new Error('The owner vanished within a transaction')
  return made
}

/**
 * The statement that reads the user also checks that the session lives. An ended session is answered like an expired token:
 * the client then refreshes, and learns there whether it is signed out.
 */
async function findUser(db: Queryable, { userId, sessionId }: Bearer, held?: 'held'): Promise<Owner> {
  const query = db
    .select({ id: owners.id, hasPremium: users.has_premium_access })
    .from(owners)
    .innerJoin(users, eq(users.id, owners.id))
    .innerJoin(sessions, eq(sessions.user_id, users.id))
    .where(and(eq(owners.id, userId), eq(sessions.id, sessionId), users.is_active))
  // All rows are locked: a change that waited for the owner then reads the present tier, and an ended session changes
  // nothing.
  const named = held ? query.for('no key update').prepare('hold_user') : query.prepare('find_user')
  const [row] = await named.execute()
  if (row === undefined) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
  return { ...row, kind: 'user', lastSeen: null }
}

/** The tiers as they are configured. */
export const tiersOf = (env: Env): TierLimits => ({
  free: {
    max_widgets: env.FREE_MAX_WIDGETS,
    max_checkpoints_per_widget: env.FREE_MAX_CHECKPOINTS,
    radar_coins: env.FREE_RADAR_COINS,
  },
  premium: {
    max_widgets: env.PREMIUM_MAX_WIDGETS,
    max_checkpoints_per_widget: env.PREMIUM_MAX_CHECKPOINTS,
    radar_coins: env.PREMIUM_RADAR_COINS,
  },
})

export const limitsOf = (owner: Owner, env: Env): Limits => effectiveLimits(tiersOf(env), owner.hasPremium)
