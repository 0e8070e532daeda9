import { and, eq, inArray, isNull, lte, type SQL } from 'drizzle-orm'
import { DELETION_GRACE_DAYS, UNVERIFIED_DAYS } from '../../../src/domain/account'
import { DAY } from '../../../src/domain/granularity'
import type { Database, Queryable } from '../../db/open'
import { billing_customers, billing_removals } from '../../db/schema/billing'
import { mail_requests } from '../../db/schema/mail'
import { owners } from '../../db/schema/owners'
import { normalEmailOf, users } from '../../db/schema/users'
import { removeOwners } from '../retention/remove-owners'
import { normalEmail } from './account'

/** Accounts that one transaction removes, and how many transactions one run makes. */
const AT_ONCE = 10
const MOST_BATCHES = 500

/**
 * Removes the accounts whose deletion was asked for long enough ago, and all that is theirs. What they pay for is ended
 * at the payment provider afterwards, who may not be reached just now.
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export function removeAccounts(database: Database, now: number, signal?: AbortSignal): Promise<number> {
  return removeAll(database, lte(users.deletion_scheduled_at, new Date(now - DELETION_GRACE_DAYS * DAY)), now, signal)
}

/**
 * Removes the accounts whose address nobody has verified in time, with the mails that still wait for it. Google verifies
 * the addresses that it names.
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export function removeUnverifiedAccounts(database: Database, now: number, signal?: AbortSignal): Promise<number> {
  const registered = lte(owners.created_at, new Date(now - UNVERIFIED_DAYS * DAY))
  const due = and(isNull(users.email_verified_at), isNull(users.google_subject), registered)
  return removeAll(database, due, now, signal)
}

async function removeAll(
  { orm }: Database,
  due: SQL | undefined,
  now: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  for (let batches = 0; batches < MOST_BATCHES; batches++) {
    if (signal?.aborted === true) break
    const batch = await orm.transaction(async (tx) => {
      // Locked first, and judged again once locked: who signs in at the last moment keeps the account. Owner before user,
      // as in every change.
      const rows = await tx
        .select({ id: owners.id, email: users.email })
        .from(owners)
        .innerJoin(users, eq(users.id, owners.id))
        .where(and(eq(owners.kind, 'user'), due))
        .limit(AT_ONCE)
        .for('no key update', { skipLocked: true })
      if (rows.length === 0) return 0
      const ids = rows.map(({ id }) => id)
      await endBilling(tx, ids, now)
      const emails = rows.map(({ email }) => normalEmail(email))
      await tx.delete(mail_requests).where(inArray(normalEmailOf(mail_requests.email), emails))
      await removeOwners(tx, ids)
      return ids.length
    })
    removed += batch
    if (batch === 0) break
  }
  return removed
}

/** Nobody is to go on paying for an account that is gone: whom to forget outlives it. */
async function endBilling(tx: Queryable, users: readonly string[], now: number): Promise<void> {
  const { customer_id, user_id } = billing_customers
  const customers = await tx.select({ customer_id }).from(billing_customers).where(inArray(user_id, users))
  const next_attempt_at = new Date(now)
  const removals = customers.map(({ customer_id }) => ({ customer_id, next_attempt_at }))
  if (removals.length > 0) await tx.insert(billing_removals).values(removals).onConflictDoNothing()
}
