import { eq } from 'drizzle-orm'
import type { Limits } from '../../src/domain/tier-limits'
import type { Database, Queryable } from '../db/open'
import { owners } from '../db/schema/owners'
import type { Caller } from '../plugins/identity'
import type { Env } from '../env'

/** The caller's row, or undefined while the caller has never changed anything. */
export async function findOwner(db: Queryable, caller: Caller): Promise<string | undefined> {
  const [row] = await db.select({ id: owners.id }).from(owners).where(eq(owners.anonymous_hash, caller.anonymousHash))
  return row?.id
}

/**
 * Runs `change` in a transaction that holds the caller's row, made at need. So one owner's changes happen one after the
 * other, and what one of them counted is still true when it writes.
 */
export async function inOwnersTurn<T>(
  database: Database,
  caller: Caller,
  now: number,
  change: (tx: Queryable, owner: string) => Promise<T>,
): Promise<T> {
  return database.orm.transaction(async (tx) => {
    const lock = () =>
      tx.select({ id: owners.id }).from(owners).where(eq(owners.anonymous_hash, caller.anonymousHash)).for('update')
    let [row] = await lock()
    if (row === undefined) {
      await tx
        .insert(owners)
        .values({ kind: caller.kind, anonymous_hash: caller.anonymousHash, created_at: new Date(now) })
        .onConflictDoNothing()
      ;[row] = await lock()
    }
    if (row === undefined) throw new Error('The owner vanished within a transaction')
    return change(tx, row.id)
  })
}

/** Guests have the limits of the free tier. */
export function limitsOf(caller: Caller, env: Env): Limits {
  switch (caller.kind) {
    case 'guest':
      return { max_widgets: env.FREE_MAX_WIDGETS, max_checkpoints_per_widget: env.FREE_MAX_CHECKPOINTS }
  }
}
