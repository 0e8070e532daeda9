import { asc, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AdminProfile, AdminUser } from '../../../src/contract/admin'
import type { Subscription } from '../../../src/contract/billing'
import { ApiError } from '../../http/api-error'
import { atOneMoment, type Database, type Queryable } from '../../db/open'
import { push_subscriptions } from '../../db/schema/alerts'
import { subscriptions } from '../../db/schema/billing'
import { normalEmailOf, owners, users } from '../../db/schema/users'
import { checkpoints, widgets } from '../../db/schema/widgets'
import type { Counted, PageQuery } from '../list-page'
import { type UserAccount, accountAnswer, accountColumns, normalEmail, readAccount } from '../accounts/account'

const wholeId = z.uuid().toLowerCase()

/**
 * A page of the accounts that `search` finds, newest first, and how many it finds. Accounts that are made between two
 * pages move the others back, so that some are listed twice; none is left out.
 */
export function listUsers(
  database: Database,
  { search, skip, limit }: PageQuery & { readonly search?: string | undefined },
): Promise<Counted<AdminUser[]>> {
  const found = search ? matching(search) : undefined
  return atOneMoment(database, async (tx) => {
    const rows = await tx
      .select(accountColumns)
      .from(users)
      .innerJoin(owners, eq(owners.id, users.id))
      .where(found)
      .orderBy(desc(owners.created_at), asc(users.id))
      .offset(skip)
      .limit(limit)
    return { part: rows.map(adminUserAnswer), total: await tx.$count(users, found) }
  })
}

/** Escapes a search term, so that LIKE takes it literally. */
function matching(search: string): SQL | undefined {
  const inAddress = sql`strpos(${normalEmailOf(users.email)}, ${normalEmail(search)}) > 0`
  const id = wholeId.safeParse(search)
  return id.success ? or(inAddress, eq(users.id, id.data)) : inAddress
}

/** An account as operators read it. */
const adminUserAnswer = (account: UserAccount): AdminUser => ({
  ...accountAnswer(account),
  email_verified: account.email_verified_at !== null,
  last_login_at: account.last_login_at?.toISOString() ?? null,
})

/**
 * An account, and how much is its.
 * @throws ApiError NOT_FOUND
 */
export function readProfile(database: Database, id: string): Promise<AdminProfile> {
  return atOneMoment(database, async (tx) => {
    const account = await requireAccount(tx, id)
    const [pairs] = await tx
      .select({ all: count(), active: sql<number>`count(*) FILTER (WHERE ${widgets.is_active})::int` })
      .from(widgets)
      .where(eq(widgets.owner_id, id))
    return {
      ...adminUserAnswer(account),
      widgets: pairs?.all ?? 0,
      active_widgets: pairs?.active ?? 0,
      checkpoints: await tx.$count(checkpoints, eq(checkpoints.owner_id, id)),
      push_subscriptions: await tx.$count(push_subscriptions, eq(push_subscriptions.owner_id, id)),
    }
  })
}

/**
 * All that has given an account Premium, newest first.
 * @throws ApiError NOT_FOUND
 */
export function readSubscriptions(database: Database, id: string): Promise<Subscription[]> {
  return atOneMoment(database, async (tx) => {
    await requireAccount(tx, id)
    return subscriptionsOf(tx, id)
  })
}

export async function subscriptionsOf(tx: Queryable, id: string): Promise<Subscription[]> {
  const rows = await tx
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.user_id, id))
    .orderBy(desc(subscriptions.created_at), desc(subscriptions.id))
  return rows.map(subscriptionAnswer)
}

/** @throws ApiError NOT_FOUND */
export async function requireAccount(db: Queryable, id: string): Promise<UserAccount> {
  const account = await readAccount(db, id)
  if (account === undefined) throw new ApiError('NOT_FOUND', 'There is no such account.')
  return account
}

export const subscriptionAnswer = (row: typeof subscriptions.$inferSelect): Subscription => ({
  id: row.id,
  stripe_subscription_id: row.stripe_subscription_id,
  status: row.status,
  current_period_start: row.current_period_start.toISOString(),
  current_period_end: row.current_period_end.toISOString(),
  cancel_at_period_end: row.cancel_at_period_end,
  created_at: row.created_at.toISOString(),
})
