import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AdminProfile, AdminUser } from '../../../src/contract/admin'
import type { Subscription } from '../../../src/contract/billing'
import { COUNTED_TO } from '../../../src/domain/counted-to'
import { ApiError } from '../../http/api-error'
import { aboutHowMany, upTo } from '../../db/count'
import { atOneMoment, type Database, type Queryable } from '../../db/open'
import { push_subscriptions } from '../../db/schema/alerts'
import { subscriptions } from '../../db/schema/billing'
import { normalEmailOf, owners, users } from '../../db/schema/users'
import { checkpoints, widgets } from '../../db/schema/widgets'
import type { Counted, PageQuery } from '../list-page'
import { type UserAccount, accountAnswer, accountColumns, normalEmail, readAccount } from '../accounts/account'

const wholeId = z.uuid().toLowerCase()

/**
 * A page of the accounts that `search` finds, newest first, and how many it finds, as far as they are counted (`COUNTED_TO`).
 * Accounts that are made between two pages move the others back, so that some are listed twice; none is left out.
 */
export function listUsers(
  database: Database,
  { search = '', skip, limit }: PageQuery & { readonly search?: string | undefined },
): Promise<Counted<AdminUser[]>> {
  return atOneMoment(database, async (tx) => {
    const { total, page } = await (search === '' ? allUsers(tx) : usersFound(tx, search))
    const some = page.orderBy(desc(owners.created_at), asc(owners.id)).offset(skip).limit(limit).as('page')
    const rows = await tx
      .select(accountColumns)
      .from(some)
      .innerJoin(owners, eq(owners.id, some.id))
      .innerJoin(users, eq(users.id, some.id))
      .orderBy(desc(owners.created_at), asc(owners.id))
    // An estimate may be too low or too high: the pages end where the rows do.
    const met = skip + rows.length
    const isEstimate = search === '' && total >= COUNTED_TO.all
    const seen = rows.length === limit ? Math.max(total, met + 1) : Math.min(total, met)
    return { part: rows.map(adminUserAnswer), total: isEstimate ? seen : total }
  })
}

/** The owners to take a page of, by the index of the times at which accounts were made, and how many they are. */
async function allUsers(tx: Queryable) {
  const page = tx.select({ id: owners.id }).from(owners).where(eq(owners.kind, 'user')).$dynamic()
  return { page, total: await numberOf(tx, aboutHowMany('users', sql`FROM users`)) }
}

async function usersFound(tx: Queryable, search: string) {
  const term = normalEmail(search)
  const holdsTerm = sql`strpos(${normalEmailOf(users.email)}, ${term}) > 0`
  const parts = partsOf(term)
  const byParts =
    parts === null
      ? holdsTerm
      : sql`email_parts(${normalEmailOf(users.email)}) @> ${sql.param(parts)}::text[] AND ${holdsTerm}`
  const id = wholeId.safeParse(search)
  const those = sql`FROM ${users} WHERE ${byParts}${id.success ? sql` OR ${users.id} = ${id.data}` : sql``}`
  // Of a term that many hold the planner would take apart the addresses of as many as are counted.
  if (parts !== null) await tx.execute(sql`SET LOCAL enable_seqscan = off`)
  const total = await numberOf(tx, upTo(COUNTED_TO.found, those))
  const chosen = tx.select({ id: owners.id }).from(owners).$dynamic()
  // Few are looked up, and put in their order. Of many the newest are soon met among all.
  const page =
    total < COUNTED_TO.found
      ? chosen.where(sql`${owners.id} = ANY(ARRAY(SELECT ${users.id} ${those} LIMIT ${COUNTED_TO.found}))`)
      : chosen.innerJoin(users, eq(users.id, owners.id)).where(and(eq(owners.kind, 'user'), holdsTerm))
  return { page, total }
}

/** The parts of an address (`email_parts`) by which an index finds those that may hold a term; null: a single character. */
function partsOf(term: string): readonly string[] | null {
  const characters = Array.from(term)
  if (characters.length < 2) return null
  if (characters.length === 2) return [term]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}

async function numberOf(tx: Queryable, expression: SQL): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`SELECT ${expression} AS n`)
  return rows[0]!.n
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
