import { eq, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../db/open'
import { owner_revisions, owners } from '../db/schema/users'

/** Part of an owner's data that has a revision: widgets with their checkpoints, or the account with its tier and sessions. */
export type RevisedPart = 'widgets' | 'account'

/** Transaction that may change owners' data. Code that changes rows which a client shows says so by `raise`. */
export interface ChangeTx extends Queryable {
  /**
   * Raises a revision of the owner as the transaction's last statement, and tells the owner's open streams after the commit.
   * Rolled back, it does neither. The owner must be there when the transaction ends.
   */
  raise(owner: string, part: RevisedPart): void
}

/** Revision that a transaction has raised. */
interface RaisedRevision {
  readonly owner: string
  readonly part: RevisedPart
  readonly before: number
  readonly after: number
}

export interface Committed<T> {
  readonly value: T
  readonly raised: readonly RaisedRevision[]
}

/**
 * Runs a transaction that may change owners' data, raises the revisions that the transaction asks for, and publishes them
 * once they are committed (decision 0132). tests/repo/database-access.test.ts names the transactions that do without.
 */
export async function commitChange<T>(
  database: Database,
  now: number,
  change: (tx: ChangeTx) => Promise<T>,
): Promise<Committed<T>> {
  const asked = new Map<string, Set<RevisedPart>>()
  const raise = (owner: string, part: RevisedPart) => {
    asked.set(owner, (asked.get(owner) ?? new Set()).add(part))
  }
  const committed = await database.changeTurns.run(() =>
    database.orm.transaction(async (tx) => {
      const value = await change(Object.assign(tx, { raise }))
      return { value, raised: await raiseRevisions(tx, asked, now) }
    }),
  )
  database.changes.publish(committed.raised.map(({ part, owner, after }) => ({ kind: part, owner, revision: after })))
  return committed
}

/**
 * Raises revisions, as the last statement of a transaction that has its other locks already. The rows are locked in the
 * order of the owners' ids, so that two transactions of several owners do not wait for each other.
 * @param asked by owner
 */
async function raiseRevisions(
  tx: Queryable,
  asked: ReadonlyMap<string, ReadonlySet<RevisedPart>>,
  now: number,
): Promise<RaisedRevision[]> {
  if (asked.size === 0) return []
  const [[owner, parts] = []] = asked
  if (owner !== undefined && asked.size === 1 && parts?.has('widgets') === true && parts.size === 1) {
    const row = await raiseWidgets(tx, owner, now)
    if (row !== undefined) return [{ owner, part: 'widgets', ...row }]
  }
  const raised = await raiseStored(tx, asked, now)
  if (raised.length < asked.size) {
    // A first change of these owners. Another transaction that makes the same row is waited for here.
    const missing = [...asked.keys()].filter((owner) => raised.every((row) => row.owner_id !== owner))
    await tx.execute(sql`
      INSERT INTO ${owner_revisions} (owner_id)
      SELECT ${owners.id} FROM ${owners} WHERE ${owners.id} = ANY(${sql.param(missing)}::uuid[]) ORDER BY 1
      ON CONFLICT DO NOTHING`)
    const first = new Map(missing.map((owner) => [owner, asked.get(owner)!]))
    raised.push(...(await raiseStored(tx, first, now)))
  }
  return raised.flatMap(({ owner_id: owner, ...row }) =>
    [...asked.get(owner)!].map((part) => ({ owner, part, before: row[`${part}_before`], after: row[part] })),
  )
}

/** Of one owner, as nearly every change needs it: with a name, a connection plans the statement once. */
async function raiseWidgets(
  tx: Queryable,
  owner: string,
  now: number,
): Promise<Pick<RaisedRevision, 'before' | 'after'> | undefined> {
  const { owner_id, widgets } = owner_revisions
  const held = tx
    .select({ owner_id, widgets })
    .from(owner_revisions)
    .where(eq(owner_id, owner))
    .for('update')
    .as('held')
  const [row] = await tx
    .update(owner_revisions)
    .set({ widgets: sql`greatest(${held.widgets} + 1, ${now}::bigint)` })
    .from(held)
    .where(eq(owner_id, held.owner_id))
    .returning({ before: held.widgets, after: widgets })
    .prepare('raise_widgets')
    .execute()
  return row
}

interface Raised extends Record<string, unknown> {
  readonly owner_id: string
  readonly widgets: number
  readonly widgets_before: number
  readonly account: number
  readonly account_before: number
}

/** Of the owners who have a row. The locked row is read, not the snapshot's: a crossing may have raised it meanwhile. */
async function raiseStored(
  tx: Queryable,
  asked: ReadonlyMap<string, ReadonlySet<RevisedPart>>,
  now: number,
): Promise<Raised[]> {
  const ids = [...asked.keys()]
  const has = (part: RevisedPart) => sql.param([...asked.values()].map((parts) => parts.has(part)))
  const { rows } = await tx.execute<Raised>(sql`
    WITH asked AS (
      SELECT * FROM unnest(${sql.param(ids)}::uuid[], ${has('widgets')}::boolean[], ${has('account')}::boolean[])
        AS asked (owner_id, widgets, account)
    ), held AS MATERIALIZED (
      SELECT owner_id, widgets, account FROM ${owner_revisions}
      WHERE owner_id = ANY(${sql.param(ids)}::uuid[]) ORDER BY owner_id FOR UPDATE
    )
    UPDATE ${owner_revisions} AS row
    SET widgets = CASE WHEN asked.widgets THEN greatest(held.widgets + 1, ${now}::bigint) ELSE held.widgets END,
        account = CASE WHEN asked.account THEN greatest(held.account + 1, ${now}::bigint) ELSE held.account END
    FROM held JOIN asked USING (owner_id)
    WHERE row.owner_id = held.owner_id
    RETURNING row.owner_id,
      row.widgets::float8 AS widgets, held.widgets::float8 AS widgets_before,
      row.account::float8 AS account, held.account::float8 AS account_before`)
  return rows
}
