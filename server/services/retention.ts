import { and, asc, eq, gt, inArray, lt, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../db/open'
import { removeInBatches } from '../db/remove-in-batches'
import { alert_events, push_deliveries } from '../db/schema/alerts'
import { billing_events } from '../db/schema/billing'
import { channel_deliveries } from '../db/schema/channels'
import { feedback, mail_tokens } from '../db/schema/mail'
import { security_events } from '../db/schema/security-events'
import { address_counts, attempts, known_devices, passkey_challenges } from '../db/schema/sessions'
import { audit_log, owners } from '../db/schema/users'
import { operations, pairs, widgets } from '../db/schema/widgets'
import { type Caller, dayOf } from './owners'
import { KEPT_FOR } from './kept-for'
import type { Outdated } from './removal-job'
import { holdWidgets } from './widgets/arrange'

/** Rows that go by their age alone, by the job that removes them. */
const OUTDATED = {
  'expire-operations': ({ before }) => [
    [operations, and(not(operations.for_ever), lt(operations.created_at, before(KEPT_FOR.operation)))],
  ],
  'expire-sessions': ({ before, now }) => [
    [known_devices, lt(known_devices.seen_at, before(KEPT_FOR.knownDevice))],
    [attempts, lt(attempts.forget_at, now)],
    [address_counts, lt(address_counts.ends_at, now)],
    [passkey_challenges, lt(passkey_challenges.expires_at, before(0))],
  ],
  'expire-security-events': ({ before }) => [[security_events, lt(security_events.at, before(KEPT_FOR.securityEvent))]],
  'expire-feedback': ({ before }) => [[feedback, lt(feedback.created_at, before(KEPT_FOR.feedback))]],
  'expire-mail-tokens': ({ before }) => [[mail_tokens, lt(mail_tokens.expires_at, before(0))]],
  'expire-billing-events': ({ before }) => [
    [billing_events, lt(billing_events.received_at, before(KEPT_FOR.billingEvent))],
  ],
  'expire-audit-log': ({ before }) => [[audit_log, lt(audit_log.at, before(KEPT_FOR.auditEntry))]],
  'remove-old-alerts': ({ before }) => [
    [push_deliveries, lt(push_deliveries.ended_at, before(KEPT_FOR.pushDelivery))],
    [channel_deliveries, lt(channel_deliveries.ended_at, before(KEPT_FOR.pushDelivery))],
    [alert_events, lt(alert_events.crossed_at, before(KEPT_FOR.alert))],
  ],
} satisfies Record<string, (time: { before: (age: number) => Date; now: number }) => Outdated[]>

export type RemovalName = keyof typeof OUTDATED
export const REMOVALS = Object.keys(OUTDATED) as RemovalName[]

export const outdatedOf = (job: RemovalName, now: number): Outdated[] =>
  OUTDATED[job]({ before: (age) => new Date(now - age), now })

/** Removes the rows of one of these jobs. */
export async function removeOutdated(
  { orm }: Database,
  job: RemovalName,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const [table, which] of outdatedOf(job, now)) await removeInBatches(orm, table, which, { signal })
}

/** Rows of one owner that one statement removes. */
const OWNER_ROWS_BATCH = 5000

/**
 * Removes owners, which the transaction holds, and everything that is theirs. Rows of which one owner can have many go
 * first, so many at a time; the foreign keys take the rest.
 */
async function removeOwners(tx: Queryable, ids: readonly string[]): Promise<void> {
  // First, as in every transaction that needs several widgets (decision 0049).
  await holdWidgets(tx, inArray(widgets.owner_id, ids))
  const all = { rows: OWNER_ROWS_BATCH, batches: Infinity }
  await removeInBatches(tx, alert_events, inArray(alert_events.owner_id, ids), all)
  await removeInBatches(tx, operations, inArray(operations.owner_id, ids), all)
  await tx.delete(owners).where(inArray(owners.id, ids))
}

/** Owners that one transaction removes, and how many transactions one run makes. */
const OWNER_BATCH = 10
const MAX_BATCHES = 1000

/**
 * Removes owners and everything that is theirs, some at a time.
 * @param hold locks owners whose time is over, at most so many
 * @returns how many there were
 */
export async function removeOwnersInBatches(
  { orm }: Database,
  signal: AbortSignal | undefined,
  hold: (tx: Queryable, most: number) => Promise<readonly string[]>,
): Promise<number> {
  let removed = 0
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    if (signal?.aborted === true) break
    const batch = await orm.transaction(async (tx) => {
      const ids = await hold(tx, OWNER_BATCH)
      if (ids.length > 0) await removeOwners(tx, ids)
      return ids.length
    })
    if (batch === 0) break
    removed += batch
  }
  return removed
}

/** The guests whose browsers were not seen for long enough. */
export function unseenGuests(orm: Queryable, now: number): SQL | undefined {
  const theirs = orm
    .select({ one: sql`1` })
    .from(widgets)
    .where(eq(widgets.owner_id, owners.id))
  const unseen = or(
    lt(owners.last_seen, dayOf(now - KEPT_FOR.guest)),
    and(lt(owners.last_seen, dayOf(now - KEPT_FOR.guestWithoutPairs)), notExists(theirs)),
  )
  return and(eq(owners.kind, 'guest'), unseen)
}

/**
 * Removes those guests, and everything that is theirs.
 * @returns how many there were
 */
export async function removeGuests(database: Database, now: number, signal?: AbortSignal): Promise<number> {
  const unseen = unseenGuests(database.orm, now)
  return removeOwnersInBatches(database, signal, async (tx, most) => {
    // Judged again once locked: a guest who comes back at the last moment keeps everything.
    const rows = await tx
      .select({ id: owners.id })
      .from(owners)
      .where(unseen)
      .orderBy(asc(owners.last_seen))
      .limit(most)
      .for('no key update', { skipLocked: true })
    return rows.map(({ id }) => id)
  })
}

/** Removes a guest and everything that is theirs. One whom the server does not know has been removed already. */
export async function deleteGuest({ orm, changes }: Database, caller: Caller): Promise<void> {
  if (caller.kind !== 'guest') throw new Error('Users are deleted by account-deletion.ts')
  const gone = await orm.transaction(async (tx) => {
    // In turn with the guest's changes, as an owner's changes are (decision 0032).
    const [row] = await tx
      .select({ id: owners.id })
      .from(owners)
      .where(eq(owners.anonymous_hash, caller.anonymousHash))
      .for('no key update')
    if (row !== undefined) await removeOwners(tx, [row.id])
    return row
  })
  // The revision has gone with the owner: as of a guest who is not stored, it is 0.
  if (gone !== undefined) changes.publish([{ kind: 'widgets', owner: gone.id, revision: 0 }])
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
